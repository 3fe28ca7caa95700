/** Parses the values of `--nodes`, `--relationships` and `--merge-on`. */
import { GraphDBError } from '../../base/index.ts';
import type { MergeKey, NodeInput, RelationshipInput } from '../../import/index.ts';

/** Parses `[Label[:Label…]=]file[,file…]`. @throws ARGUMENT_ERROR */
export function parseNodeInput(text: string): NodeInput {
  const { name, files } = split(text);
  const labels = name === null ? [] : name.split(':');
  if (labels.includes('')) throw fault(`a label is missing in "${text}"; the form is Label:Label=file,file`);
  return { labels, files };
}

/** Parses `[TYPE=]file[,file…]`. @throws ARGUMENT_ERROR */
export function parseRelationshipInput(text: string): RelationshipInput {
  const { name, files } = split(text);
  if (name === '') throw fault(`the type is missing in "${text}"; the form is TYPE=file,file`);
  return { ...(name === null ? {} : { type: name }), files };
}

/** Parses `[Space=]Label.key`, or `[Space=]_id` for internal identifiers. @throws ARGUMENT_ERROR */
export function parseMergeKey(text: string): MergeKey {
  const match = /^(?:(?<space>[^=]*)=)?(?:(?<label>[^=]+)\.)?(?<key>[^=.]+)$/.exec(text)?.groups;
  const { space = null, label = null, key = '' } = match ?? {};
  if (match === undefined || (label === null) !== (key === '_id'))
    throw fault(`"${text}" is no key; the form is Label.key, Space=Label.key or _id`);
  return { space, label, key };
}

/** Splits a text at the first equals sign. The part before it is a name, unless it looks like a path; null: there is no name. */
function split(text: string): { name: string | null; files: string[] } {
  const at = text.indexOf('=');
  const named = at >= 0 && !/[/\\]/.test(text.slice(0, at));
  const files = (named ? text.slice(at + 1) : text).split(',');
  if (files.includes('')) throw fault(`a file is missing in "${text}"`);
  return { name: named ? text.slice(0, at) : null, files };
}

function fault(message: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message);
}
