import { stringify } from 'yaml';
import { StatusError } from '../../api/status.ts';
import { decode } from '../../apiserver/decode.ts';
import { encodeProtobuf } from '../../apiserver/handler/encode-protobuf.ts';
import type { Chance } from './chance.ts';
import { kindOf } from './kind-of.ts';
import { hostile, type JsonObject, KEYS, mutate, placesIn, TEXTS } from './mutate.ts';

/** A body and its media type. */
export interface Body {
  readonly contentType: string;
  readonly text: string;
  /** The encoding of `text`. @defaultValue `utf8` */
  readonly encoding?: 'base64';
}

/** Serializes an object, mostly as JSON, and seldom so that it cannot be read. */
export function objectBody(chance: Chance, object: JsonObject): Body {
  const protobuf = chance.oneIn(5) ? protobufBody(chance, object) : undefined;
  if (protobuf) return protobuf;
  if (chance.oneIn(8)) return { contentType: 'application/yaml', text: yamlText(chance, object) };
  return { contentType: 'application/json', text: jsonText(chance, object) };
}

/** Generates a patch for an object like this one. */
export function patchBody(chance: Chance, object: JsonObject): Body {
  const type = chance.one(['json', 'merge', 'strategic', 'strategic', 'apply', 'apply']);
  if (type === 'apply') return applyBody(chance, object);
  const contentType = `application/${type === 'strategic' ? 'strategic-merge' : type}-patch+json`;
  if (type === 'json') return { contentType, text: jsonText(chance, operations(chance, object)) };
  const fragment = pruned(chance, chance.oneIn(2) ? mutate(chance, object) : object);
  const patch = type === 'strategic' && chance.oneIn(2) ? withDirective(chance, fragment) : fragment;
  return { contentType, text: jsonText(chance, chance.oneIn(50) ? hostile(chance) : patch) };
}

/** Generates a configuration to apply: most of the object, seldom in another format. */
function applyBody(chance: Chance, object: JsonObject): Body {
  const identity = { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
  const pruning = chance.oneIn(3) ? { ...pruned(chance, structuredClone(object)), ...identity } : object;
  const configuration = chance.oneIn(3) ? mutate(chance, pruning) : pruning;
  const contentType = chance.oneIn(20) ? 'application/apply-patch+cbor' : APPLY;
  return {
    contentType,
    text: chance.oneIn(4) ? yamlText(chance, configuration) : jsonText(chance, configuration),
  };
}

/** The media type of a server-side apply. */
export const APPLY = 'application/apply-patch+yaml';

/**
 * Serializes the object as protobuf, in half of the cases with changed bytes; returns undefined if it does not match
 * its kind.
 */
function protobufBody(chance: Chance, object: JsonObject): Body | undefined {
  try {
    const decoded = decode<JsonObject>(kindOf(object), object, { fieldValidation: 'Ignore' }).object;
    const bytes = Buffer.from(encodeProtobuf(decoded));
    const sent = chance.oneIn(2) ? bytes : mutateBytes(chance, bytes);
    return {
      contentType: 'application/vnd.kubernetes.protobuf',
      text: sent.toString('base64'),
      encoding: 'base64',
    };
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Changes the bytes in some places: replaces, removes, doubles, or truncates. */
function mutateBytes(chance: Chance, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let changes = chance.int(4); changes >= 0; changes--) {
    const from = chance.int(changed.length + 1);
    const to = Math.min(changed.length, from + 1 + chance.int(8));
    const [before, there, after] = [
      changed.subarray(0, from),
      changed.subarray(from, to),
      changed.subarray(to),
    ];
    const put = chance.one([
      Buffer.from(there).fill(chance.one([0, 1, 0x7f, 0x80, 0xff, chance.int(256)])),
      Buffer.alloc(0),
      Buffer.concat([there, there]),
      Buffer.alloc(10, 0xff),
    ]);
    changed = chance.oneIn(8) ? before : Buffer.concat([before, put, after]);
  }
  return changed;
}

/** Keeps some fields of the object, as a patch does. */
function pruned(chance: Chance, object: JsonObject): JsonObject {
  for (const { container, key } of placesIn(object)) {
    if (!Array.isArray(container) && chance.oneIn(4)) delete container[key];
    else if (chance.oneIn(12)) (container as JsonObject)[key] = null;
  }
  return object;
}

function withDirective(chance: Chance, patch: JsonObject): JsonObject {
  const containers = [patch, ...placesIn(patch).map(({ container, key }) => (container as JsonObject)[key])];
  const target = chance.one(containers.filter((each) => typeof each === 'object' && each !== null));
  const list = chance.one(['containers', 'finalizers', 'ports', 'tolerations', 'volumes']);
  const [key, value] = chance.one<[string, unknown]>([
    ['$patch', chance.one(['replace', 'delete', 'merge', 'odd', null, 1])],
    ['$retainKeys', chance.one([['spec'], ['type'], [], 'spec', [1]])],
    [`$setElementOrder/${list}`, chance.one([[{ name: 'c0' }], ['a'], [], null, [{}]])],
    [`$deleteFromPrimitiveList/${list}`, chance.one([['example.com/hold'], [{}], 'x', null])],
  ]);
  if (Array.isArray(target)) target.push({ [key]: value });
  else (target as JsonObject)[key] = value;
  return patch;
}

function operations(chance: Chance, object: JsonObject): unknown[] {
  const pointers = pointersIn(object);
  const pointer = (): string =>
    chance.oneIn(6) ? chance.one(POINTERS) : `${chance.one(pointers)}${chance.oneIn(5) ? '/-' : ''}`;
  const count = chance.oneIn(100) ? 500 : 1 + chance.int(4);
  return chance.many(count, () => ({
    op: chance.one(OPERATIONS),
    path: pointer(),
    ...(chance.oneIn(3) ? { from: pointer() } : {}),
    ...(chance.oneIn(8) ? {} : { value: hostile(chance) }),
  }));
}

const OPERATIONS = ['add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'copy', 'move', 'odd'];
const POINTERS = [
  '',
  '/',
  'x',
  '/metadata',
  '/spec',
  '/status',
  '/__proto__/a',
  '/a/~1~0',
  '/spec/-1',
  '/9e9',
];

function pointersIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || prefix.length > 200) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const pointer = `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [pointer, ...pointersIn(item, pointer)];
  });
}

function jsonText(chance: Chance, value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  if (!chance.oneIn(12)) return text;
  switch (chance.int(9)) {
    case 0:
      return text.slice(0, chance.int(text.length + 1));
    case 1:
      return `\ufeff${text}`;
    case 2:
      return text.replace(
        /\d+|true|null/,
        chance.one(['1e999', '-0', '1E5', '01', 'nul', 'NaN', '1'.repeat(400)]),
      );
    case 3:
      return `${text}${chance.one([' ', '\n\n', '{}', ',', '\0'])}`;
    case 4:
      return text.replace('{', `{${JSON.stringify(chance.one(KEYS))}:1,"a":1,"a":2,`);
    case 5:
      return text.replaceAll(/[a-z]/g, (char) => (chance.oneIn(40) ? chance.one(TEXTS) : char));
    case 6:
      return `${chance.one(['{"a":', '[', '{"metadata":{"labels":'])}`.repeat(1 + chance.int(2_000));
    case 7:
      return chance.one(['', 'null', '[]', '""', '0', 'true', '{}', '[null]', '\\', '{"":{}}']);
    default:
      return large(chance, text);
  }
}

/** Adds much content to the text, up to 100 KB. */
function large(chance: Chance, text: string): string {
  const count = 10 + chance.int(2_000);
  const entries = chance.many(count, (i) => `"k${chance.oneIn(3) ? i % 7 : i}":"${i}"`).join(',');
  const items = chance.many(count, (i) => (i % 2 ? `{"name":"c${i}"}` : `"x${i}"`)).join(',');
  const added = chance.one([
    `"data":{${entries}}`,
    `"metadata":{"name":"a","labels":{${entries}}}`,
    `"metadata":{"name":"a","annotations":{${entries}}}`,
    `"metadata":{"name":"a","finalizers":[${items}]}`,
    `"spec":{"containers":[${items}]}`,
    `"spec":{"selector":{"matchLabels":{${entries}}}}`,
    `"x":{${entries}}`,
    entries,
  ]);
  return text.replace(/\}$/, `,${added}}`);
}

function yamlText(chance: Chance, object: JsonObject): string {
  const json = JSON.stringify(object);
  // JSON is also YAML. The library cannot write deeply nested values.
  const text =
    chance.oneIn(4) || /(?:[[{](?:"[^"]*":)?){30}/.test(json)
      ? json
      : stringify(object, { aliasDuplicateObjects: false });
  if (chance.oneIn(2)) return text;
  switch (chance.int(6)) {
    case 0:
      return text.slice(0, chance.int(text.length + 1));
    case 1:
      return `${text}\n${chance.one(YAML)}`;
    case 2:
      return text.replace(/: .*/, `: ${chance.one(YAML)}`);
    case 3:
      return text.replaceAll(/\n/g, (end) =>
        chance.oneIn(10) ? chance.one(['\n ', '\n\t', '\n- ', '\r\n']) : end,
      );
    case 4:
      return chance
        .one(['{', '[', '- ', '? ', '{a: ', '&a ', '!x ', '"', '- - ', '*a ', '|\n', ',', '#\n', '---\n'])
        .repeat(1 + chance.int(2_000));
    default:
      return chance.many(1 + chance.int(1_000), (i) => `k${i}: ${chance.one(YAML.slice(0, 12))}\n`).join('');
  }
}

const YAML = [
  '1',
  'yes',
  '&a x',
  '*a',
  '~',
  '0x1f',
  '2026-01-02',
  '"\\u00e9"',
  "'it''s'",
  '[a, {b: c}]',
  '.inf',
  '!!binary aGk=',
  '&a {b: *a}',
  '<<: {a: 1}',
  '<<: *a',
  '!!int x',
  '!<tag:x> y',
  '? [a]\n: b',
  '%YAML 1.1',
  '--- a\n---\nb',
  '|+\n a\n\n',
  '"\\ud800"',
  '{a: 1, a: 2}',
  '__proto__: {polluted: true}',
];
