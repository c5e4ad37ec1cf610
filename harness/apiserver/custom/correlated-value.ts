import { equalJson, isList, isObject, type Json, type JsonList } from '../patch/json-value.ts';
import { type StructuralSchema, schemaOfItems } from './structural-schema.ts';

/**
 * A value and its previous version, so that validation can skip unchanged parts.
 *
 * Correlates fields by name, and items of a list of type `map` by their keys. Unknown fields and items of other lists
 * have no previous version.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/cel/common/equality.go CorrelatedObject
 */
export class CorrelatedValue {
  readonly #value: Json;
  readonly #old: Json;
  readonly #schema: StructuralSchema;
  #same: boolean | undefined;
  #oldByKey: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: StructuralSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Upstream: CorrelatedObject.CachedDeepEqual */
  get isSame(): boolean {
    this.#same ??= this.#compare();
    return this.#same;
  }

  /** Returns the value of a field that existed before. */
  key(name: string): CorrelatedValue | undefined {
    const [value, old] = [this.#value, this.#old];
    if (!isObject(value) || !isObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const { properties, additionalProperties } = this.#schema;
    const schema =
      properties && Object.hasOwn(properties, name)
        ? properties[name]
        : typeof additionalProperties === 'object'
          ? additionalProperties
          : undefined;
    return schema && new CorrelatedValue(value[name] as Json, old[name] as Json, schema);
  }

  /** Returns an item whose keys existed in the list before. */
  index(i: number): CorrelatedValue | undefined {
    const items = schemaOfItems(this.#schema);
    if (!this.#isMap || !items || !isList(this.#value) || !isList(this.#old)) return undefined;
    const item = this.#value[i] as Json;
    const key = this.#keyOf(item);
    if (key === undefined) return undefined;
    this.#oldByKey ??= this.#byKey(this.#old);
    const old = this.#oldByKey.get(key);
    return old === undefined ? undefined : new CorrelatedValue(item, old, items);
  }

  get #isMap(): boolean {
    return this.#schema['x-kubernetes-list-type'] === 'map';
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (isList(value) && isList(old) && this.#isMap) {
      return value.length === old.length && value.every((_, i) => this.index(i)?.isSame === true);
    }
    if (isObject(value) && isObject(old)) {
      const names = Object.keys(value);
      return (
        names.length === Object.keys(old).length && names.every((name) => this.key(name)?.isSame === true)
      );
    }
    return equalJson(value, old);
  }

  #byKey(list: JsonList): ReadonlyMap<string, Json> {
    const found = new Map<string, Json>();
    for (const item of list) {
      const key = this.#keyOf(item);
      if (key !== undefined && !found.has(key)) found.set(key, item);
    }
    return found;
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/cel/common/maplist.go CompositeKeyFor */
  #keyOf(item: Json): string | undefined {
    if (!isObject(item)) return undefined;
    const keys = this.#schema['x-kubernetes-list-map-keys'] ?? [];
    const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
    const isScalar = (value: Json | undefined): boolean =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return values.every(isScalar) ? JSON.stringify(values) : undefined;
  }
}
