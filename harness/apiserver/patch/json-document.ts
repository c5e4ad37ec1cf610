import { getOwn } from '../../api/own.ts';
import { isTooDeep } from './json-depth.ts';
import { isList, isObject, type Json, type JsonObject, setOwn } from './json-value.ts';
import { unprocessable } from './patch-error.ts';

type Container = Json[] | Record<string, Json>;

/**
 * A JSON value edited through pointers. Copies a container before its first change and changes the copy in place from
 * then on. So ten thousand operations on one large object do not cost ten thousand copies.
 *
 * Upstream: gopkg.in/evanphx/json-patch.v4@v4.13.0 patch.go findObject, partialDoc, partialArray
 */
export class JsonDocument {
  #root: Json;
  /** The containers that only this document holds, each in one place. */
  readonly #own = new WeakSet<object>();

  constructor(root: Json) {
    this.#root = root;
  }

  /** The value with all edits so far. */
  get root(): Json {
    return this.#root;
  }

  /** Returns the edited value. @throws {PatchError} 422 if it is nested deeper than an apiserver decodes */
  finish(): Json {
    if (isTooDeep(this.#root)) throw unprocessable('exceeded max depth');
    return this.#root;
  }

  /**
   * Returns the value at `path`; undefined if its parent is an object without that key.
   *
   * @throws {PatchError} 422 if the parent or the list element does not exist, and for the empty path
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
   * Sets a key of an object, an existing element of a list, or the whole value.
   *
   * @throws {PatchError} 422 if the place does not exist, or if the whole value would be a scalar
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

  /** @throws {PatchError} 422 if the value does not exist */
  remove(path: string): void {
    const { container, key } = this.#place(path);
    if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1);
    else if (Object.hasOwn(container, key)) delete container[key];
    else throw unprocessable(`Unable to remove nonexistent key: ${key}: missing value`);
  }

  /** Returns the container of the value at `path`, ready for a change. */
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

/** Splits a JSON pointer into the path of the container and the final key. */
function split(path: string): { parents: readonly string[]; key: string } {
  const [, ...keys] = path.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  if (key === undefined) throw missing(path);
  return { parents: keys, key };
}

/** @param length - the upper bound of the index, exclusive */
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
