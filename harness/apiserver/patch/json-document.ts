import { isTooDeep } from './json-depth.ts';
import { getOwn, isList, isObject, type Json, type JsonObject, setOwn } from './json-value.ts';
import { unprocessable } from './patch-error.ts';

type Container = Json[] | Record<string, Json>;

/**
 * A JSON value under edit by pointers. A container is copied before its first change and changed in place
 * from then on, so that ten thousand operations on one large object cost no ten thousand copies.
 *
 * Upstream: gopkg.in/evanphx/json-patch.v4@v4.13.0 patch.go findObject, partialDoc, partialArray
 */
export class JsonDocument {
  #root: Json;
  /** The containers that are this document's own. No other place of it holds them, too. */
  readonly #own = new WeakSet<object>();

  constructor(root: Json) {
    this.#root = root;
  }

  /** The value as edited so far. */
  get root(): Json {
    return this.#root;
  }

  /** The edited value. @throws {PatchError} 422 if it is nested deeper than an apiserver decodes */
  finish(): Json {
    if (isTooDeep(this.#root)) throw unprocessable('exceeded max depth');
    return this.#root;
  }

  /**
   * What stands at `path`; undefined if its parent is an object without that key.
   *
   * @throws {PatchError} 422 if there is no parent, or no such element in a list; of the whole, too.
   */
  get(path: string): Json | undefined {
    const { parents, key } = split(path);
    let at: Json | undefined = this.#root;
    for (const token of [...parents, key]) {
      if (isList(at)) at = at[indexOf(token, at.length)];
      else if (isObject(at)) at = getOwn(at, token);
      else throw missing(path);
    }
    return at;
  }

  /** Sets a key of an object, or inserts before an element of a list. @throws {PatchError} 422 */
  add(path: string, value: Json): void {
    const { container, key } = this.#place(path);
    if (!Array.isArray(container)) setOwn(container, key, value);
    else if (key === '-') container.push(value);
    else container.splice(indexOf(key, container.length + 1), 0, value);
  }

  /**
   * Sets a key of an object, which may be new, or an element of a list, which may not, or the whole.
   *
   * @throws {PatchError} 422 if there is no such place, or if the whole would be no object and no list
   */
  replace(path: string, value: Json): void {
    if (path === '') {
      if (!isObject(value) && !isList(value))
        throw unprocessable('replace operation value must be object or array');
      this.#root = value;
      return;
    }
    const { container, key } = this.#place(path);
    if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
    else setOwn(container, key, value);
  }

  /** @throws {PatchError} 422 if it is not there */
  remove(path: string): void {
    const { container, key } = this.#place(path);
    if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1);
    else if (Object.hasOwn(container, key)) delete container[key];
    else throw unprocessable(`Unable to remove nonexistent key: ${key}: missing value`);
  }

  /** The container that holds what `path` names, ready to be changed. */
  #place(path: string): { container: Container; key: string } {
    const { parents, key } = split(path);
    this.#root = this.#owned(this.#root, path);
    let container = this.#root as Container;
    for (const token of parents) {
      if (Array.isArray(container)) {
        const index = indexOf(token, container.length);
        container[index] = this.#owned(container[index], path);
        container = container[index] as Container;
      } else {
        const child = this.#owned(getOwn(container, token), path);
        setOwn(container, token, child);
        container = child as Container;
      }
    }
    return { container, key };
  }

  #owned(value: Json | undefined, path: string): Json {
    if (!isList(value) && !isObject(value)) throw missing(path);
    if (this.#own.has(value)) return value;
    // Spread copies an own `__proto__` as an own property.
    const copy: Container = isList(value) ? [...value] : { ...(value as JsonObject) };
    this.#own.add(copy);
    return copy;
  }
}

/** The keys of a pointer: those that lead to the container, and the one in it. */
function split(path: string): { parents: readonly string[]; key: string } {
  const [, ...keys] = path.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  if (key === undefined) throw missing(path);
  return { parents: keys, key };
}

/** @param length the index is below it */
function indexOf(token: string, length: number): number {
  if (!/^[+-]?\d+$/.test(token)) throw unprocessable(`value was not a proper array index: '${token}'`);
  const said = Number(token);
  const index = said < 0 ? said + length : said;
  if (index >= 0 && index < length) return index;
  throw unprocessable(`Unable to access invalid index: ${token}: invalid index referenced`);
}

function missing(path: string): Error {
  return unprocessable(`doc is missing path: ${path}: missing value`);
}
