import type { CustomResourceDefinition, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { storedOf } from '../custom/custom-resources.ts';
import type { Kind } from '../kind.ts';
import { PREFIX, storedUnder } from './store-keys.ts';

/** The object that a key of etcd stands for. */
export interface Place {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Finds the objects of keys. It knows the built-in kinds, and learns the definitions of custom resources. */
export class Places {
  readonly #resources = new Map<string, Resource>();
  readonly #custom = new Map<string, Resource>();

  constructor(kinds: readonly Kind[]) {
    for (const { resource, conversion, answer } of kinds) {
      if (!conversion && !answer) this.#resources.set(storedUnder(resource), resource);
    }
  }

  /** Learns a definition, or forgets it when its objects are gone. */
  define(name: string, definition: CustomResourceDefinition | undefined): void {
    if (!definition) this.#custom.delete(name);
    else this.#custom.set(name, storedOf(definition));
  }

  /** Returns undefined for a key of something else. */
  find(text: string): Place | undefined {
    if (!text.startsWith(PREFIX)) return undefined;
    const [first = '', second = '', ...others] = text.slice(PREFIX.length).split('/');
    const plain = this.#resources.get(first);
    if (plain) return placeOf(plain, [second, ...others]);
    const resource = this.#resources.get(`${first}/${second}`) ?? this.#custom.get(`${second}.${first}`);
    return resource && placeOf(resource, others);
  }
}

function placeOf(resource: Resource, parts: readonly string[]): Place | undefined {
  if (parts.length !== (resource.namespaced ? 2 : 1) || parts.includes('')) return undefined;
  const [first = '', second = ''] = parts;
  return { resource, key: resource.namespaced ? { namespace: first, name: second } : { name: first } };
}
