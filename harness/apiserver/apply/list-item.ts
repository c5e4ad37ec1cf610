import { quote } from '../../api/names.ts';
import { getOwn } from '../../api/own.ts';
import { isList, isObject, type Json } from '../patch/json-value.ts';
import type { ListSchema } from './merge-schema.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/**
 * Returns the path step of a list item: the item's keys, or the item itself. A missing key counts as its default.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/helpers.go listItemToPathElement
 *
 * @throws Error when the item has no key, or cannot be a member of a set
 */
export function itemElement(list: ListSchema, item: Json): PathElement {
  if (list.type === 'map') return keyedElement(list, item);
  const refuse = (why: string): never => {
    throw new Error(why);
  };
  if (isObject(item)) refuse("associative list without keys has an element that's a map type");
  if (isList(item)) refuse('not supported: associative list with lists as elements');
  if (item === null) refuse("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}

function keyedElement(list: ListSchema, item: Json): PathElement {
  if (item === null) throw new Error('associative list with keys may not have a null element');
  if (!isObject(item)) throw new Error('associative list with keys may not have non-map elements');
  const fields = list.item().map?.fields;
  const key: Record<string, Json> = {};
  for (const name of list.keys) {
    const own = getOwn(item, name);
    const value = own === undefined ? (fields?.get(name)?.default as Json | undefined) : own;
    if (value !== undefined) key[name] = value;
  }
  if (Object.keys(key).length === 0) {
    const keys = `[${list.keys.map(quote).join(' ')}]`;
    throw new Error(
      `associative list with keys has an element that omits all key fields ${keys} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(key);
}
