/** Describes the API as an OpenAPI 3.1 document. A test compares it with the endpoints that there are. */
import { ERROR_CODES, type ErrorCode } from '../base/index.ts';
import { BOOKMARK_HEADER } from './bookmarks.ts';
import { FROM_HEADER } from './changes-header.ts';

type Json = Readonly<Record<string, unknown>>;

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };

const BOOKMARK: Json = {
  name: BOOKMARK_HEADER,
  in: 'header',
  required: false,
  schema: TEXT,
  description: 'bookmarks that earlier answers carried, behind commas: the statement waits until their commits are seen',
};
const ID: Json = { name: 'id', in: 'path', required: true, schema: TEXT };
const SENT_BOOKMARK: Json = {
  schema: TEXT,
  description: 'on statements that can write: the commit, to be handed on to whoever must see it',
};

/** Members of every error: the place in the text, where there is one, and whether a write may be done nevertheless. */
const ERROR_MEMBERS: Json = {
  error: TEXT,
  code: ref('ErrorCode'),
  line: INTEGER,
  column: INTEGER,
  outcome_unknown: { const: true, description: 'present on a write that may be done or not: look before it is sent again' },
};

const SCHEMAS: Json = {
  Statement: {
    type: 'object',
    required: ['query'],
    properties: {
      query: { type: 'string', description: 'one Cypher statement' },
      params: {
        type: ['object', 'null'],
        description: 'a number without fraction and exponent is an Integer of 64 bits, any other a Float',
      },
      value_format: {
        enum: ['plain', 'typed'],
        default: 'plain',
        description: 'typed: in params and rows a value that JSON has no type for is {"$": <its type>, "value": …}',
      },
    },
  },
  WriteOutcome: object({
    nodes_created: INTEGER,
    edges_created: INTEGER,
    nodes_deleted: INTEGER,
    edges_deleted: INTEGER,
    properties_set: INTEGER,
  }),
  Result: object(
    {
      columns: { type: 'array', items: TEXT },
      rows: { type: 'array', items: { type: 'object' } },
      write_outcome: ref('WriteOutcome'),
    },
    ['columns', 'rows'],
  ),
  StreamLine: {
    oneOf: [
      object({ type: { const: 'header' }, columns: { type: 'array', items: TEXT } }),
      object({ type: { const: 'row' }, row: { type: 'object' } }),
      object({ type: { const: 'summary' }, rows: INTEGER, elapsed_ms: { type: 'number' }, write_outcome: ref('WriteOutcome') }, [
        'type',
        'rows',
        'elapsed_ms',
      ]),
      object({ type: { const: 'error' }, ...ERROR_MEMBERS }, ['type', 'error', 'code']),
    ],
  },
  ErrorCode: { type: 'string', enum: Object.keys(ERROR_CODES) },
  Error: object(ERROR_MEMBERS, ['error', 'code']),
  Health: object({
    status: TEXT,
    namespace: TEXT,
    manifest_version: INTEGER,
    epoch: INTEGER,
    role: { type: 'string', enum: ['writer', 'reader'] },
  }),
  Probe: object({ status: TEXT }),
  Version: object({ version: TEXT, build_target: TEXT, node_version: TEXT, platform: TEXT }, ['version', 'build_target']),
  RunningStatement: object({
    id: TEXT,
    namespace: TEXT,
    user: TEXT,
    protocol: { type: 'string', enum: ['http', 'bolt'] },
    client_address: { type: ['string', 'null'] },
    started_at: { type: 'string', format: 'date-time' },
    elapsed_ms: { type: 'number' },
    status: { type: 'string', enum: ['running', 'terminated'] },
    query: { type: ['string', 'null'] },
  }),
  Change: object({
    id: TEXT,
    txId: INTEGER,
    seq: INTEGER,
    metadata: { type: 'object' },
    event: {
      type: 'object',
      description: 'elementId, eventType (n, r), operation (c, u, d), state (before, after), and what Neo4j has beside',
    },
  }),
  Statements: object({ statements: { type: 'array', items: ref('RunningStatement') } }),
  Terminated: object({ id: TEXT, user: TEXT, status: { const: 'terminated' } }),
  BeginTransaction: object({ mode: { type: 'string', enum: ['read', 'write'], default: 'write' } }, []),
  Transaction: object({ id: TEXT, mode: { type: 'string', enum: ['read', 'write'] } }),
  EndedTransaction: object({ id: TEXT, status: { type: 'string', enum: ['committed', 'rolled back'] } }),
  FlushOutcome: object({ ssts_written: INTEGER, manifest_version: INTEGER }),
  CompactOutcome: { type: 'object', required: ['manifest_version'], additionalProperties: INTEGER },
};

const STATEMENT_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 499, 500, 503, 504];
const ADMIN_ERRORS = [401, 403, 404, 409, 429, 500, 503];
const CHANGE_ERRORS = [400, 401, 403, 404, 410, 429, 499, 500, 503, 504];

/** Describes the API as an OpenAPI document. */
export function describeApi(version: string): Json {
  const health = json('Health');
  return {
    openapi: '3.1.0',
    info: {
      title: 'GraphDB',
      version,
      summary: 'A property-graph database that keeps its data in object storage and answers Cypher.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: {
      '/v0/health': {
        get: publicly('health', 'Whether reads can be served', {
          200: { description: 'They can', content: health },
          503: { description: 'They cannot, for the reason in `status`', content: health },
        }),
      },
      '/v0/live': {
        get: publicly('live', 'Whether the process answers', { 200: { description: 'It does', content: json('Probe') } }),
      },
      '/v0/ready': {
        get: publicly('ready', 'Whether requests can be served', {
          200: { description: 'They can', content: json('Probe') },
          503: { description: 'They cannot, for the reason in `status`', content: json('Probe') },
        }),
      },
      '/v0/version': {
        get: publicly('version', 'Which release this is', { 200: { description: 'The release', content: json('Version') } }),
      },
      '/v0/metrics': {
        get: publicly('metrics', 'What the server counts', {
          200: { description: 'Prometheus text', content: { 'text/plain': { schema: TEXT } } },
        }),
      },
      '/v0/openapi.json': {
        get: publicly('openapi', 'This document', {
          200: { description: 'An OpenAPI document', content: { 'application/json': { schema: { type: 'object' } } } },
        }),
      },
      '/v0/cypher': { post: statement('cypher', 'Run one statement', json('Result')) },
      '/v0/cypher/stream': {
        post: statement('cypherStream', 'Run one statement, rows as NDJSON', { 'application/x-ndjson': { schema: ref('StreamLine') } }),
      },
      '/v0/cypher/arrow': {
        post: statement('cypherArrow', 'Run one statement, rows as an Arrow IPC stream', { 'application/vnd.apache.arrow.stream': {} }),
      },
      '/v0/changes': {
        get: {
          ...answering(
            'changes',
            'What has changed behind a change',
            {
              description: 'By the order of commits, a line each; the last line may be an error',
              headers: {
                [FROM_HEADER]: { schema: TEXT, description: 'the id that the answer begins behind' },
              },
              content: { 'application/x-ndjson': { schema: ref('Change') } },
            },
            CHANGE_ERRORS,
          ),
          parameters: [
            inQuery('from', TEXT, 'the id of the last change that is known; earliest (default) or current'),
            inQuery('wait', TEXT, 'how long the answer may wait for the first change, such as 30s'),
            inQuery('value_format', { enum: ['plain', 'typed'], default: 'plain' }, 'the form of values, as in statements'),
          ],
        },
      },
      '/v0/statements': {
        get: answering('statements', 'What clients have open now', { description: 'By their beginning', content: json('Statements') }),
      },
      '/v0/statements/{id}': {
        delete: {
          ...answering('terminate', 'Stop one of them', { description: 'It is being stopped', content: json('Terminated') }),
          parameters: [ID],
        },
      },
      '/v0/transactions': {
        post: {
          ...answering(
            'begin',
            'Begin a transaction of several statements',
            { description: 'It is open', content: json('Transaction') },
            STATEMENT_ERRORS,
          ),
          parameters: [BOOKMARK],
          requestBody: { required: false, content: json('BeginTransaction') },
        },
      },
      '/v0/transactions/{id}/cypher': {
        post: inTransaction(statement('cypherInTransaction', 'Run one statement of a transaction', json('Result'))),
      },
      '/v0/transactions/{id}/cypher/stream': {
        post: inTransaction(
          statement('streamInTransaction', 'Run one statement of a transaction, rows as NDJSON', {
            'application/x-ndjson': { schema: ref('StreamLine') },
          }),
        ),
      },
      '/v0/transactions/{id}/commit': {
        post: inTransaction(
          answering('commit', 'Commit a transaction', { description: 'It is durable', content: json('EndedTransaction') }),
        ),
      },
      '/v0/transactions/{id}': {
        delete: inTransaction(
          answering('rollback', 'Roll back a transaction', { description: 'It is undone', content: json('EndedTransaction') }),
        ),
      },
      '/v0/admin/flush': { post: admin('flush', 'Write the memtable to SSTs now', 'FlushOutcome') },
      '/v0/admin/compact': { post: admin('compact', 'Merge SSTs now and remove what nobody needs', 'CompactOutcome') },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: SCHEMAS,
    },
  };
}

function object(properties: Json, required: readonly string[] = Object.keys(properties)): Json {
  return { type: 'object', required, properties };
}

function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

function json(schema: string): Json {
  return { 'application/json': { schema: ref(schema) } };
}

function publicly(operationId: string, summary: string, responses: Json): Json {
  return { operationId, summary, security: [], responses };
}

function statement(operationId: string, summary: string, content: Json): Json {
  const requestBody = { required: true, content: json('Statement') };
  const isWhole = operationId === 'cypher';
  const result = { description: 'The result', ...(isWhole ? { headers: { [BOOKMARK_HEADER]: SENT_BOOKMARK } } : {}), content };
  return { operationId, summary, parameters: [BOOKMARK], requestBody, responses: { 200: result, ...errors(STATEMENT_ERRORS) } };
}

function admin(operationId: string, summary: string, schema: string): Json {
  return { operationId, summary, responses: { 200: { description: 'Done', content: json(schema) }, ...errors(ADMIN_ERRORS) } };
}

/** Returns an operation of a transaction, whose id is in the path. */
function inTransaction(operation: Json): Json {
  return { ...operation, parameters: [ID] };
}

function answering(operationId: string, summary: string, answer: Json, statuses = ADMIN_ERRORS): Json {
  return { operationId, summary, responses: { 200: answer, ...errors(statuses) } };
}

function inQuery(name: string, schema: Json, description: string): Json {
  return { name, in: 'query', required: false, schema, description };
}

function errors(statuses: readonly number[]): Json {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => ERROR_CODES[code].httpStatus === status).join(', ');
      return [status, { description, content: json('Error') }];
    }),
  );
}
