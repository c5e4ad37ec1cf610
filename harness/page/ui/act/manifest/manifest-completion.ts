import type { Field, Struct } from '../../../../api/table/table.ts';
import { actTexts } from '../texts.ts';
import { fieldTexts } from './field-texts.ts';
import { containerAt, type ManifestLine, manifestLines, type PathStep } from './manifest-lines.ts';
import {
  fieldsOf,
  type Kind,
  kinds,
  sayType,
  structOf,
  typeAt,
  underlying,
  valuesOf,
} from './manifest-types.ts';

/** A word that may stand at the cursor. */
export interface Option {
  readonly label: string;
  /** Its type: `list of Container`. */
  readonly detail: string;
  /** Further facts: whether it is required, its default, its values. */
  readonly info: string;
  /** The text to insert. */
  readonly insert: string;
  readonly kind: 'field' | 'value' | 'kind';
  readonly isRequired: boolean;
}

/** The options at a place of a manifest. */
export interface Options {
  /** The position in the text where the word begins that they replace. */
  readonly from: number;
  readonly options: readonly Option[];
}

/** The fields that a document begins with. */
const FIRST = ['apiVersion', 'kind', 'metadata', 'spec'];

/**
 * Returns the fields or values that fit at a position of a manifest, by the types of the API. The fields that the object
 * already has are left out, and so is its status.
 */
export function optionsAt(text: string, position: number): Options {
  const begin = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(0, begin).split('\n').length - 1;
  const typed = text.slice(begin, position);
  const [, before = ''] = /^(\s*(?:-\s+)*)/.exec(typed) ?? [];
  const rest = typed.slice(before.length);
  const { document, path } = containerAt(text, line, before);
  const lines = manifestLines(text).filter((one) => one.document === document);
  const kind = kindOf(lines);
  const [, name, space] = /^([^\s:]+):(\s+)/.exec(rest) ?? [];
  if (name !== undefined && space !== undefined) {
    const from = begin + before.length + name.length + 1 + space.length;
    return { from, options: valuesAt(kind, [...path, name]) };
  }
  if (/[\s:]/.test(rest)) return { from: position, options: [] };
  const from = position - rest.length;
  const taken = new Set(
    lines
      .filter((one) => one.line !== line && isChild(one.path, path))
      .map((one) => `${one.path[path.length]}`),
  );
  if (path.length === 0 && kind === undefined) return { from, options: beginnings(taken) };
  if (kind === undefined) return { from, options: [] };
  const type = typeAt(kind, path);
  if (type === undefined) return { from, options: [] };
  // A list of texts has values behind its dashes.
  const values = typeof path.at(-1) === 'number' ? valuesOf(type) : undefined;
  if (values) return { from, options: values.map((value) => valueOption(value)) };
  const struct = structOf(type);
  if (!struct) return { from, options: [] };
  // On a line of a list without a dash, a field begins an item.
  const isList = underlying(type).startsWith('[]');
  const indent = ' '.repeat(before.length + (isList ? 2 : 0));
  const options = fieldsOf(struct)
    .filter((field) => !taken.has(field.name) && !(path.length === 0 && field.name === 'status'))
    .map((field) => fieldOption(field, struct, { indent, dash: isList ? '- ' : '' }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  return { from, options };
}

function kindOf(lines: readonly ManifestLine[]): Kind | undefined {
  const topLevel = (name: string): string | undefined =>
    lines.find(({ path }) => path.length === 1 && path[0] === name)?.value;
  const [kind, apiVersion] = [topLevel('kind'), topLevel('apiVersion')];
  return kind && apiVersion ? { kind, apiVersion } : undefined;
}

/** Returns whether a path continues another one. */
function isChild(path: readonly PathStep[], parent: readonly PathStep[]): boolean {
  return path.length > parent.length && parent.every((step, index) => path[index] === step);
}

/** Returns the fields of a document without a kind: whole beginnings, and the first fields. */
function beginnings(taken: ReadonlySet<string>): readonly Option[] {
  const fields = FIRST.filter((name) => !taken.has(name)).map(
    (name): Option => ({
      label: name,
      detail: '',
      info: '',
      insert: name === 'apiVersion' || name === 'kind' ? `${name}: ` : `${name}:\n  `,
      kind: 'field',
      isRequired: true,
    }),
  );
  if (taken.size > 0) return fields;
  const whole = kinds.map(
    ({ kind, apiVersion }): Option => ({
      label: kind,
      detail: apiVersion,
      info: actTexts.editor.kinds,
      insert: `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: `,
      kind: 'kind',
      isRequired: false,
    }),
  );
  return [...fields, ...whole];
}

/** Returns the values of a field. */
function valuesAt(kind: Kind | undefined, path: readonly PathStep[]): readonly Option[] {
  if (path.length === 1 && path[0] === 'kind')
    return distinct(kinds.map((one) => one.kind)).map((one) => valueOption(one));
  if (path.length === 1 && path[0] === 'apiVersion') {
    return distinct(kinds.map((one) => one.apiVersion)).map((one) => valueOption(one));
  }
  const type = kind && typeAt(kind, path);
  return (type && valuesOf(type)?.map((value) => valueOption(value, sayType(type)))) || [];
}

function valueOption(value: string, detail = ''): Option {
  return { label: value, detail, info: '', insert: value, kind: 'value', isRequired: false };
}

function fieldOption(
  field: Field,
  struct: Struct,
  { indent, dash }: { readonly indent: string; readonly dash: string },
): Option {
  const { name, type, optional } = field;
  const plain = underlying(type);
  const isNested = structOf(plain) !== undefined || plain.startsWith('map[');
  const behind =
    plain.startsWith('[]') && plain !== '[]uint8' ? `\n${indent}  - ` : isNested ? `\n${indent}  ` : ' ';
  return {
    label: name,
    detail: sayType(type),
    info: infoOf(field, struct),
    insert: `${dash}${name}:${behind}`,
    kind: 'field',
    isRequired: !optional,
  };
}

function infoOf({ type, optional, patchMergeKey, ...field }: Field, struct: Struct): string {
  const { editor: texts } = actTexts;
  const values = valuesOf(type);
  const facts = [
    ...(optional ? [] : [texts.required]),
    ...(field.default === undefined ? [] : [texts.defaultsTo(JSON.stringify(field.default))]),
    ...(values ? [values.join(', ')] : []),
    ...(patchMergeKey === undefined ? [] : [texts.mergesBy(patchMergeKey)]),
  ].join(' · ');
  const text = fieldTexts[`${struct.name}.${field.name}`];
  if (text === undefined) return facts;
  return facts === '' ? text : `${text} (${facts})`;
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
