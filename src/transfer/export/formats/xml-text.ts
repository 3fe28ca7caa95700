/** Text within XML, and the types of attributes that GraphML and GEXF have in common. */
import type { Shapes } from '../graph-source.ts';
import type { ColumnType, PropertyShape } from '../property-shape.ts';

/** Matches the characters that XML 1.0 cannot represent. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for XML. */
export class XmlText {
  /** How many characters were replaced by U+FFFD, because XML cannot represent them. */
  replaced = 0;

  /** Escapes a text to stand between tags, or in an attribute between double quotes. */
  escape(text: string): string {
    return text
      .replace(NO_XML, () => {
        this.replaced++;
        return '\ufffd';
      })
      .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] as string); // as: the table has all of them
  }
}

/** Returns the type of each key over all tables; `string` where the tables differ. */
export function attributeTypes(tables: readonly Shapes[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const properties of tables) {
    for (const [key, shape] of properties) {
      const type = attributeType(shape);
      types.set(key, (types.get(key) ?? type) === type ? type : 'string');
    }
  }
  return types;
}

function attributeType({ type }: PropertyShape): string {
  const words: Partial<Record<Extract<ColumnType, string>, string>> = { integer: 'long', float: 'double', boolean: 'boolean' };
  return (typeof type === 'string' ? words[type] : undefined) ?? 'string';
}
