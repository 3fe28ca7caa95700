/** Answers that every driver must get from every version: all types, both ways; entities; errors; summaries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Path, QueryResult, Relationship, Session } from 'neo4j-driver';
import { DRIVERS, driverFor, forceVersion, type Neo4j, startBolt, VERSIONS } from './bolt-bench.ts';

interface Setting {
  readonly neo4j: Neo4j;
  readonly session: Session;
  readonly hasElementIds: boolean;
}

for (const [name, neo4j] of Object.entries(DRIVERS)) {
  for (const version of VERSIONS) {
    test(`driver ${name} over Bolt ${version.join('.')}`, async (context) => {
      const { url } = await startBolt(context);
      const driver = driverFor(context, await forceVersion(context, url, version), { neo4j });
      const info = await driver.getServerInfo();
      assert.equal(Number(info.protocolVersion).toFixed(1), version.join('.'));
      assert.match(info.agent ?? '', /^Neo4j\//);
      for (const [part, run] of Object.entries(PARTS)) {
        await context.test(part, async () => {
          const session = driver.session();
          await run({ neo4j, session, hasElementIds: version[0] === 5 });
          await session.close();
        });
      }
    });
  }
}

async function one(session: Session, query: string, parameters?: Record<string, unknown>): Promise<unknown> {
  const { records } = await session.run(query, parameters);
  assert.equal(records.length, 1);
  return records[0]!.get(0);
}

const PARTS: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  'values survive both ways': async ({ neo4j, session }) => {
    const { DateTime, LocalDateTime, LocalTime, Time, Duration, Point } = neo4j.types;
    const values: unknown[] = [
      null,
      true,
      false,
      '',
      'Größe 😀 \u0000',
      'x'.repeat(100_000),
      neo4j.int(0),
      neo4j.int(-17),
      neo4j.int('9223372036854775807'),
      neo4j.int('-9223372036854775808'),
      1.5,
      -0,
      Number.POSITIVE_INFINITY,
      [],
      [neo4j.int(1), 'a', null, [true]],
      {},
      { a: { b: [neo4j.int(1), { c: null }] }, '': 'empty', 'a b': 1.25 },
      new neo4j.types.Date(2024, 2, 29),
      new neo4j.types.Date(-1, 1, 1),
      new LocalTime(23, 59, 59, 999_999_999),
      new Time(12, 0, 0, 1, -16_200),
      new LocalDateTime(1969, 12, 31, 23, 59, 59, 999_999_999),
      new DateTime(2024, 2, 29, 12, 30, 15, 123_456_789, 5_400),
      new DateTime(1900, 1, 1, 0, 0, 0, 0, -3_600),
      new Duration(14, -3, 5, 999_999_999),
      new Duration(0, 0, -1, 1),
      new Point(neo4j.int(7203), -0, 1e300),
      new Point(neo4j.int(9157), 1, 2, -3.5),
      new Point(neo4j.int(4326), -180, 90),
      new Point(neo4j.int(4979), 12.5, 55, -0),
    ];
    for (const value of values) assert.deepEqual(await one(session, 'RETURN $value', { value }), typed(neo4j, value), String(value));
    assert.ok(Number.isNaN(await one(session, 'RETURN $value', { value: Number.NaN })));
    const bytes = new Int8Array([0, 1, -128, 127]);
    assert.deepEqual([...((await one(session, 'RETURN $bytes', { bytes })) as Int8Array)], [...bytes]);
    const nested = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 'deep');
    assert.deepEqual(await one(session, 'RETURN $nested', { nested }), nested);
  },

  'points that cannot be are refused, and stored ones come back': async ({ neo4j, session }) => {
    const { Point } = neo4j.types;
    const code = 'Neo.ClientError.Statement.ArgumentError';
    for (const value of [
      new Point(neo4j.int(1), 1, 2),
      new Point(neo4j.int(7203), Number.NaN, 2),
      new Point(neo4j.int(7203), 1, 2, 3),
      new Point(neo4j.int(4979), 1, 2),
      new Point(neo4j.int(4326), 0, 91),
    ])
      await assert.rejects(session.run('RETURN $value', { value }), { code }, String(value));
    const value = new Point(neo4j.int(4979), 370, -90, 1);
    const stored = await one(session, 'CREATE (p:Place {at: $value, track: [$value]}) RETURN p.track[0]', { value });
    assert.deepEqual(stored, new Point(neo4j.int(4979), 10, -90, 1));
  },

  'times in zones that change their clocks': async ({ neo4j, session }) => {
    const { DateTime } = neo4j.types;
    for (const [month, offset] of [
      [1, 3_600],
      [7, 7_200],
    ] as const) {
      const value = new DateTime(2024, month, 1, 12, 0, 0, 0, offset, 'Europe/Stockholm');
      const got = (await one(session, 'RETURN $value', { value })) as InstanceType<typeof DateTime>;
      assert.equal(got.toString(), value.toString());
      assert.equal(
        await one(session, 'RETURN toString($value)', { value }),
        `2024-0${month}-01T12:00:00+0${offset / 3_600}:00[Europe/Stockholm]`,
      );
    }
    assert.equal(
      String(await one(session, "RETURN datetime('2024-10-27T02:30:00[Europe/Stockholm]')")),
      '2024-10-27T02:30:00+02:00[Europe/Stockholm]',
    );
  },

  'what only the server makes': async ({ neo4j, session }) => {
    assert.deepEqual(await one(session, 'RETURN vector([1, 2.5, -3])'), [1, 2.5, -3]);
    assert.deepEqual(await one(session, 'RETURN [1.0, 2, -0.0]'), [1, neo4j.int(2), -0]);
    assert.deepEqual(await one(session, "RETURN {a: date('2024-01-01'), b: [duration('P1D')]}"), {
      a: typed(neo4j, new neo4j.types.Date(2024, 1, 1)),
      b: [typed(neo4j, new neo4j.types.Duration(0, 1, 0, 0))],
    });
  },

  'nodes, relationships and paths': async ({ neo4j, session, hasElementIds }) => {
    const query =
      'CREATE p = (a:A:B {x: 1})-[r:R {y: 2.5}]->(b:C)<-[s:S]-(a) RETURN a, r, b, p, elementId(a) AS id, [n IN nodes(p) | n] AS nodes';
    const record = (await session.run(query)).records[0]!;
    const [a, r, b, path] = ['a', 'r', 'b', 'p'].map((key) => record.get(key)) as [Node, Relationship, Node, Path];
    assert.deepEqual([a.labels, a.properties, b.labels, b.properties], [['A', 'B'], { x: neo4j.int(1) }, ['C'], {}]);
    assert.deepEqual([r.type, r.properties], ['R', { y: 2.5 }]);
    assert.deepEqual([r.start, r.end], [a.identity, b.identity]);
    assert.equal(a.elementId, hasElementIds ? record.get('id') : a.identity.toString());
    assert.deepEqual([r.startNodeElementId, r.endNodeElementId], [a.elementId, b.elementId]);
    assert.equal(path.length, 2);
    assert.deepEqual(path.start, a);
    assert.deepEqual(path.segments[0]!.relationship, r);
    assert.deepEqual([path.segments[1]!.start, path.segments[1]!.end], [b, a]);
    assert.deepEqual([path.segments[1]!.relationship.start, path.segments[1]!.relationship.end], [a.identity, b.identity]);
    assert.deepEqual(record.get('nodes'), [a, b, a]);
    const single = (await one(session, 'MATCH p = (:C) RETURN p')) as Path;
    assert.deepEqual([single.length, single.start], [0, b]);
    await session.run('MATCH (n) DETACH DELETE n');
  },

  'the summary': async ({ session }) => {
    const created = await summaryOf(session.run("CREATE (:X {a: 1, b: 2})-[:Y]->(:X) RETURN 'done'"));
    assert.deepEqual([created.queryType, created.database.name], ['rw', 'neo4j']);
    assert.ok(created.counters.containsUpdates());
    assert.deepEqual(pick(created.counters.updates()), { nodesCreated: 2, relationshipsCreated: 1, propertiesSet: 2, labelsAdded: 2 });
    const read = await summaryOf(session.run('MATCH (x:X) RETURN x'));
    assert.equal(read.queryType, 'r');
    assert.equal(read.counters.containsUpdates(), false);
    assert.equal(read.plan, false);
    assert.ok(read.resultAvailableAfter.toNumber() >= 0 && read.resultConsumedAfter.toNumber() >= 0);
    const removed = await summaryOf(session.run('MATCH (x:X) DETACH DELETE x'));
    assert.deepEqual([removed.queryType, pick(removed.counters.updates())], ['w', { nodesDeleted: 2, relationshipsDeleted: 1 }]);
    const index = await summaryOf(session.run('CREATE INDEX some_index FOR (x:X) ON (x.a)'));
    assert.deepEqual([index.queryType, pick(index.counters.updates())], ['s', { indexesAdded: 1 }]);
    const dropped = await summaryOf(session.run('DROP INDEX some_index'));
    assert.deepEqual(pick(dropped.counters.updates()), { indexesRemoved: 1 });
    const explained = await summaryOf(session.run('EXPLAIN MATCH (x:X) RETURN x.a'));
    assert.ok(explained.plan !== false && explained.profile === false);
    assert.equal(explained.plan.operatorType, 'ProduceResults@neo4j');
    const profiled = await summaryOf(session.run('PROFILE UNWIND [1, 2, 3] AS x RETURN x'));
    assert.ok(profiled.profile !== false);
    assert.equal(profiled.profile.rows, 3);
    assert.ok('Time' in profiled.profile.children[0]!.arguments);
    const warned = await summaryOf(session.run('MATCH (n:Unheard) RETURN n'));
    assert.equal(warned.notifications[0]?.code, 'Neo.ClientNotification.Statement.UnknownLabelWarning');
    const position = warned.notifications[0]?.position;
    assert.deepEqual(position, { offset: 9, line: 1, column: 10 });
  },

  'errors have the codes that clients branch on': async ({ session }) => {
    const codes: Readonly<Record<string, string>> = {
      RETURN: 'Neo.ClientError.Statement.SyntaxError',
      'RETURN nobody': 'Neo.ClientError.Statement.SyntaxError',
      'RETURN $missing': 'Neo.ClientError.Statement.ParameterMissing',
      'RETURN 1 / 0': 'Neo.ClientError.Statement.ArithmeticError',
      "RETURN 1 + date('nonsense')": 'Neo.ClientError.Statement.ArgumentError',
      'CALL no.such.procedure()': 'Neo.ClientError.Procedure.ProcedureNotFound',
      'CREATE (a)-[:R]->(b) WITH a DELETE a': 'Neo.ClientError.Schema.ConstraintValidationFailed',
    };
    for (const [query, code] of Object.entries(codes)) {
      await assert.rejects(session.run(query), { code }, query);
    }
    assert.equal(String(await one(session, 'RETURN 1')), '1');
  },

  'records come in batches, as many as asked for': async ({ session }) => {
    const { records } = await session.run('UNWIND range(1, 2500) AS x RETURN x, toString(x) AS text');
    assert.equal(records.length, 2500);
    assert.deepEqual(records.at(-1)!.toObject()['text'], '2500');
    let seen = 0;
    for await (const record of session.run('UNWIND range(1, 1000000) AS x RETURN x')) if (record.length === 1 && ++seen === 3) break;
    assert.equal(String(await one(session, 'RETURN 2')), '2');
  },

  transactions: async ({ session }) => {
    const count = async () => String(await one(session, 'MATCH (t:T) RETURN count(t)'));
    const first = session.beginTransaction();
    const rows = first.run('UNWIND range(1, 3000) AS x RETURN x');
    await first.run('CREATE (:T)');
    assert.equal((await rows).records.length, 3000);
    assert.equal((await first.run('MATCH (t:T) RETURN t')).records.length, 1);
    await first.commit();
    const second = session.beginTransaction();
    await second.run('CREATE (:T)');
    await second.rollback();
    assert.equal(await count(), '1');
    await session.executeWrite((tx) => tx.run('CREATE (:T)'));
    assert.equal(await session.executeRead(async (tx) => (await tx.run('MATCH (t:T) RETURN t')).records.length), 2);
    await assert.rejects(
      session.executeRead((tx) => tx.run('CREATE (:T)')),
      { code: 'Neo.ClientError.Statement.AccessMode' },
    );
    const failing = session.beginTransaction();
    await failing.run('CREATE (:T)');
    await assert.rejects(failing.run('RETURN 1 / 0'));
    await assert.rejects(failing.commit());
    assert.equal(await count(), '2');
    await session.run('MATCH (n) DETACH DELETE n');
  },
};

async function summaryOf(result: PromiseLike<QueryResult>): Promise<QueryResult['summary']> {
  return (await result).summary;
}

function pick(counters: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).filter(([, count]) => count > 0));
}

/** A value as the driver gives it back: temporal parts become Integers, however they were given. */
function typed(neo4j: Neo4j, value: unknown): unknown {
  const { isDate, isDateTime, isDuration, isLocalDateTime, isLocalTime, isTime } = neo4j;
  const isTemporal = [isDate, isDateTime, isDuration, isLocalDateTime, isLocalTime, isTime].some((is) => is(value as object));
  if (!isTemporal) return value;
  const entries = Object.entries(value as object).map(([key, part]) => [key, typeof part === 'number' ? neo4j.int(part) : part]);
  return Object.assign(Object.create(Object.getPrototypeOf(value) as object), Object.fromEntries(entries));
}
