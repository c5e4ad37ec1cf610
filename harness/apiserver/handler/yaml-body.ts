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

/** What a text in YAML says, as JSON, and what strict decoding holds against it. */
export interface ParsedYaml {
  readonly value: unknown;
  /** The keys that stand twice in one map, each as Go tells it: `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/**
 * The first document of a text, as JSON.
 *
 * It is read as the YAML 1.1 of Go's library: `yes` is true, `0644` is 420, a date is a text, and a key that
 * is a number is its digits. What an anchor names is copied to where it is used.
 *
 * Differs: what is wrong with the syntax is told in other words, and so is what is nested too deep.
 *
 * Upstream: sigs.k8s.io/yaml@v1.6.0 yaml.go YAMLToJSONStrict; go.yaml.in/yaml/v2@v2.4.3 decode.go
 *
 * @throws Error in the words of Go's library where the text is YAML and no JSON
 */
export function parseYaml(text: string): ParsedYaml {
  const written = asWritten(text);
  if (written !== undefined) return { value: written, duplicates: [] };
  const lines = new LineCounter();
  return new Conversion(compose(text, lines), lines).run();
}

/**
 * What a text says that a program wrote as JSON, as kubectl and client-go do to apply: it says the same in YAML, and is read many
 * times as fast. Undefined for every other text. One in which a key stands twice, or a number is spelt in another way, would not be
 * written like this.
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

/** The first document of a text, if there is one. @throws Error that says what is wrong first */
function compose(text: string, lines: LineCounter): Document.Parsed | undefined {
  let first: Error | undefined;
  const noted = (offset: number, message: string): Error => {
    first ??= new Error(`yaml: line ${lines.linePos(offset).line}: ${message}`);
    return first;
  };
  const composer = new Composer(OPTIONS);
  // By itself the library goes on, and makes an error of each character that follows.
  const onError = (at: ErrorSource, code: string, message: string, warning?: boolean): void => {
    if (warning) return;
    // It has run out of stack.
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
    // The library catches what is thrown at a collection, to tell of it at the one around it.
    throw first ?? error;
  }
}

/** How the library says where it was. */
type ErrorSource = number | readonly [start: number, end: number] | { readonly offset: number };

function offsetIn(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

const tooDeep = (): Error => new Error(`yaml: exceeded max depth of ${DEPTH_MAX}`);

/**
 * Scalars stay texts and keys need not be unique: the library looks at each key before it for that, and finds
 * the target of an alias by a walk through the whole document.
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
  /** The aliases around the node at hand. */
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

  /** `<<: *base`: of several maps, the first one counts most. */
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

/** What each alias stands for: the last node before it that has the anchor. */
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
