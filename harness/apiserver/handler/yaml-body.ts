import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from 'yaml';
import { quote } from '../../api/names.ts';
import { DEPTH_MAX, isTooDeep } from '../patch/json-depth.ts';
import { resolveScalar } from './yaml-scalar.ts';

/** The value of a YAML text as JSON, and its errors under strict decoding. */
export interface ParsedYaml {
  readonly value: unknown;
  /** The duplicate keys of each map, in Go's words: `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/**
 * Parses the first document of a text as JSON.
 *
 * Follows the YAML 1.1 of Go's library: `yes` is true, `0644` is 420, a date is a string, and a numeric key is its
 * digits. An alias becomes a copy of its anchor's node.
 *
 * Differs: errors in the syntax and about the nesting depth have other words.
 *
 * Upstream: sigs.k8s.io/yaml@v1.6.0 yaml.go YAMLToJSONStrict; go.yaml.in/yaml/v2@v2.4.3 decode.go
 *
 * @throws Error in the words of Go's library if the text is valid YAML but cannot become JSON
 */
export function parseYaml(text: string): ParsedYaml {
  const written = asWritten(text);
  if (written !== undefined) return { value: written, duplicates: [] };
  const lines = new LineCounter();
  return new Conversion(compose(text, lines), lines).run();
}

/**
 * Parses a text that a program wrote as JSON, as kubectl and client-go do for an apply. It means the same in YAML, but
 * JSON parses many times faster. Returns undefined for any other text. A text with a duplicate key or an unusual number
 * does not survive the round trip.
 */
function asWritten(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as object;
    return JSON.stringify(value) === text.replace(/\n$/, '') && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the first document of a text, if any. @throws Error with the first error in the text */
function compose(text: string, lines: LineCounter): Document.Parsed | undefined {
  let first: Error | undefined;
  const noted = (offset: number, message: string): Error => {
    first ??= new Error(`yaml: line ${lines.linePos(offset).line}: ${message}`);
    return first;
  };
  const composer = new Composer(OPTIONS);
  // By default the library continues and reports an error for each following character.
  const onError = (at: ErrorSource, code: string, message: string, warning?: boolean): void => {
    if (warning) return;
    // The library has run out of stack.
    if (code === 'RESOURCE_EXHAUSTION') first ??= tooDeep();
    throw noted(offsetIn(at), message);
  };
  Object.assign(composer, { onError });
  try {
    const [document] = composer.compose(new Parser(lines.addNewLine).parse(text));
    const [error] = document?.errors ?? [];
    if (error) throw noted(error.pos[0], error.message);
    return document;
  } catch (error) {
    // The library catches errors of a collection and reports them at the outer one.
    throw first ?? error;
  }
}

/** The ways in which the library reports a position. */
type ErrorSource = number | readonly [start: number, end: number] | { readonly offset: number };

function offsetIn(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

const tooDeep = (): Error => new Error(`yaml: exceeded max depth of ${DEPTH_MAX}`);

/**
 * Scalars stay strings and keys need not be unique. The library's check compares each key with all previous ones, and
 * it walks the whole document for each alias.
 */
const OPTIONS = {
  schema: 'failsafe',
  version: '1.1',
  uniqueKeys: false,
  merge: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

class Conversion {
  readonly #root: Node | null;
  readonly #lines: LineCounter;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #duplicates: string[] = [];
  /** The aliases that contain the current node. */
  readonly #open = new Set<Alias>();
  #decoded = 0;
  #decodedByAlias = 0;

  constructor(document: Document.Parsed | undefined, lines: LineCounter) {
    this.#root = document?.contents ?? null;
    this.#lines = lines;
    this.#targets = targetsOf(this.#root);
  }

  run(): ParsedYaml {
    return { value: this.#convert(this.#root, 1), duplicates: this.#duplicates };
  }

  #convert(node: unknown, depth: number): unknown {
    this.#count();
    if (depth > DEPTH_MAX) throw tooDeep();
    if (isAlias(node)) return this.#inAlias(node, (target) => this.#convert(target, depth + 1));
    if (isScalar(node)) return resolveScalar(node);
    if (isSeq(node)) return node.items.map((item) => this.#convert(item, depth + 1));
    if (!isMap(node)) return null;
    const result: Record<string, unknown> = {};
    this.#fill(result, node, depth);
    return result;
  }

  #fill(result: Record<string, unknown>, { items }: YAMLMap, depth: number): void {
    for (const { key, value } of items) {
      if (isMerge(key)) {
        this.#merge(result, value, depth);
        continue;
      }
      const name = this.#convert(key, depth + 1);
      const text = keyText(name);
      const item = this.#convert(value, depth + 1);
      if (Object.hasOwn(result, text)) {
        const { line } = this.#lines.linePos(offsetOf(value) ?? offsetOf(key) ?? 0);
        const shown = typeof name === 'string' ? quote(name) : text;
        this.#duplicates.push(`line ${line}: key ${shown} already set in map`);
      }
      Object.defineProperty(result, text, {
        value: item,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }

  /** Merges `<<: *base`: the first of several maps wins. */
  #merge(result: Record<string, unknown>, node: unknown, depth: number): void {
    this.#count();
    for (const part of isSeq(node) ? node.items.toReversed() : [node]) {
      const map = isAlias(part) ? this.#targets.get(part) : part;
      if (!isMap(map)) throw new Error('yaml: map merge requires map or sequence of maps as the value');
      if (depth > DEPTH_MAX) throw tooDeep();
      if (isAlias(part)) this.#inAlias(part, () => this.#fill(result, map, depth + 1));
      else this.#fill(result, map, depth + 1);
    }
  }

  #inAlias<T>(alias: Alias, read: (target: Node | undefined) => T): T {
    if (this.#open.has(alias)) throw new Error(`yaml: anchor '${alias.source}' value contains itself`);
    this.#open.add(alias);
    const value = read(this.#targets.get(alias));
    this.#open.delete(alias);
    return value;
  }

  /** Upstream: go.yaml.in/yaml/v2@v2.4.3 decode.go decoder.unmarshal, allowedAliasRatio */
  #count(): void {
    this.#decoded++;
    if (this.#open.size > 0) this.#decodedByAlias++;
    if (this.#decodedByAlias <= 100 || this.#decoded <= 1_000) return;
    const beyond = Math.min(Math.max(this.#decoded - 400_000, 0) / 3_600_000, 1);
    if (this.#decodedByAlias / this.#decoded <= 0.99 - 0.89 * beyond) return;
    throw new Error('yaml: document contains excessive aliasing');
  }
}

/** Returns the target of each alias: the last preceding node with its anchor. */
function targetsOf(root: Node | null): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const node = rest.pop();
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw new Error(`yaml: unknown anchor '${node.source}' referenced`);
      targets.set(node, target);
    } else if (isNode(node)) {
      const { anchor } = node as { anchor?: string };
      if (anchor !== undefined) anchors.set(anchor, node);
      if (isSeq(node)) for (const item of node.items.toReversed()) rest.push(item);
      if (isMap(node)) for (const { key, value } of node.items.toReversed()) rest.push(value, key);
    }
  }
  return targets;
}

function isMerge(key: unknown): boolean {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === 'tag:yaml.org,2002:merge';
}

function keyText(key: unknown): string {
  if (key === null) throw new Error('unsupported map key of type: %!s(<nil>)');
  if (typeof key === 'object') throw new Error('yaml: invalid map key');
  return String(key);
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
