/**
 * Warnings about a statement that runs but is probably a mistake:
 *
 * - labels, types and property keys that the statement reads by and that nothing in the graph has, other than those
 *   that it creates or sets;
 * - variables of patterns that are named like a label or type of the graph and stand nowhere else, so that a colon is
 *   probably missing: `(Person)`, `-[KNOWS]->`;
 * - comparisons with null, which are never true;
 * - comparisons of a number with a text or a Boolean, if the statement or the columns of a property show the types, and
 *   of an identifier with a number;
 * - commands in a form of old versions.
 *
 * At most the first hundred warnings are reported.
 */
import { didYouMean, placeOf } from '../../cypher/index.ts';
import type { ColumnKind, GraphView } from '../../graph/index.ts';
import type { StatementNotification } from '../api.ts';
import type { ComparedType } from '../execution/compared-types.ts';
import type { Mention } from '../execution/mentions.ts';

/** The most warnings of one statement: each costs a search through the text, and through the names that may be meant. */
const MOST_NOTIFICATIONS = 100;

const WORDS = {
  label: { code: 'UnknownLabelWarning', noun: 'label' },
  type: { code: 'UnknownRelationshipTypeWarning', noun: 'relationship type' },
  key: { code: 'UnknownPropertyKeyWarning', noun: 'property key' },
} as const;

/** Returns whether a mention deserves a warning. */
export function isOdd(view: GraphView, { kind, name, compared }: Mention): boolean {
  switch (kind) {
    case 'null':
    case 'old index':
    case 'identifier':
    case 'types apart':
      return true;
    case 'type of key': {
      const type = typeOfKey(view, name);
      return type !== null && type !== compared![1];
    }
    case 'node variable':
      return view.labels.find(name) >= 0;
    case 'relationship variable':
      return view.types.find(name) >= 0;
    default:
      return tableOf(view, kind).find(name) < 0;
  }
}

function tableOf(view: GraphView, kind: 'label' | 'type' | 'key'): GraphView['labels'] {
  return kind === 'label' ? view.labels : kind === 'type' ? view.types : view.keys;
}

/**
 * Returns the warnings about a statement.
 *
 * @param mentions the mentions of this very text: another text of the same shape has them at other positions
 */
export function notificationsFor(view: GraphView, text: string, mentions: readonly Mention[]): readonly StatementNotification[] {
  const odd = mentions.filter((mention) => isOdd(view, mention)).slice(0, MOST_NOTIFICATIONS);
  return odd.map((mention) => notification(view, text, mention));
}

function notification(view: GraphView, text: string, mention: Mention): StatementNotification {
  const { code, title, description } = warningOf(view, mention);
  const { offset } = mention;
  return { code: `Neo.ClientNotification.Statement.${code}`, title, description, severity: 'WARNING', offset, ...placeOf(text, offset) };
}

function warningOf(view: GraphView, { kind, name, compared }: Mention): Pick<StatementNotification, 'code' | 'title' | 'description'> {
  switch (kind) {
    case 'null':
      return {
        code: 'ComparisonWithNull',
        title: 'A comparison with null is never true.',
        description: `A comparison with null is null, whatever is compared: write ${name}.`,
      };
    case 'old index':
      return {
        code: 'FeatureDeprecationWarning',
        title: 'This feature is deprecated and will be removed in future versions.',
        description: `The form CREATE INDEX ON :Label(key) is that of old versions: write ${name}.`,
      };
    case 'identifier':
      return {
        code: 'IncomparableTypes',
        title: 'An identifier is a text.',
        description:
          'id(), elementId() and _id give texts here, which no number equals: compare with a text, or keep a number ' +
          'of yours in a property.',
      };
    case 'types apart':
      return incomparable(compared![0]!, compared![1]);
    case 'type of key': {
      const { code, title, description } = incomparable(typeOfKey(view, name)!, compared![1]);
      return {
        code,
        title,
        description: `All values of \`${name}\` are of the type ${TYPE_NAMES[typeOfKey(view, name)!]}. ${description}`,
      };
    }
    case 'node variable':
    case 'relationship variable': {
      const [what, written] = kind === 'node variable' ? ['label', `(:${name})`] : ['type', `-[:${name}]->`];
      return {
        code: 'VariableNamedLikeType',
        title: 'A colon is probably missing.',
        description: `\`${name}\` is a variable here, which matches everything; the ${what} is written ${written}.`,
      };
    }
    default: {
      const { code, noun } = WORDS[kind];
      const table = tableOf(view, kind);
      const names = Array.from({ length: table.size }, (_, id) => table.name(id));
      return {
        code,
        title: `The provided ${noun} is not in the database.`,
        description: `Nothing in the graph has the ${noun} \`${name}\`${didYouMean(name, names)}.`,
      };
    }
  }
}

const TYPE_NAMES = { number: 'Number', text: 'String', boolean: 'Boolean' } as const;

function incomparable(left: ComparedType, right: ComparedType): Pick<StatementNotification, 'code' | 'title' | 'description'> {
  const convert = left === 'boolean' || right === 'boolean' ? 'toBoolean()' : 'toInteger(), toFloat() or toString()';
  return {
    code: 'IncomparableTypes',
    title: `A ${left} is compared with a ${right}.`,
    description: `A ${left} and a ${right} are never equal, and neither is less than the other: convert one of them with ${convert}.`,
  };
}

const COLUMN_TYPES: Readonly<Record<ColumnKind, ComparedType | null>> = {
  int32: 'number',
  integer: 'number',
  int64: 'number',
  float: 'number',
  boolean: 'boolean',
  dictionary: 'text',
  string: 'text',
  date: null,
  vector: null,
  any: null,
};

/** Returns the type of all values of a property key; null if there are several types, or some values are not in memory. */
function typeOfKey(view: GraphView, name: string): ComparedType | null {
  const key = view.keys.find(name);
  if (key < 0) return null;
  let type: ComparedType | null = null;
  for (const table of [...view.nodeTables, ...view.relationshipTables]) {
    if (table === undefined || table.residency(key) === 'absent') continue;
    const found = table.residency(key) === 'flat' ? COLUMN_TYPES[table.column(key)?.kind ?? 'any'] : null;
    if (found === null || (type !== null && type !== found)) return null;
    type = found;
  }
  return type;
}
