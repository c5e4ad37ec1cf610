import type { Json } from '../patch/json-value.ts';
import { deduced, type ListSchema, type MapSchema, type MergeSchema, type Scalar } from './merge-schema.ts';

/** A schema in the format of upstream's tests. */
export interface WrittenSchema {
  /** The name of the type of the object. */
  readonly root: string;
  readonly types: readonly (WrittenType & { readonly name: string })[];
}

interface WrittenType {
  readonly namedType?: string;
  readonly scalar?: Scalar;
  readonly list?: {
    readonly elementType: WrittenType;
    readonly elementRelationship: string;
    readonly keys?: readonly string[];
  };
  readonly map?: {
    readonly fields?: readonly {
      readonly name: string;
      readonly type: WrittenType;
      readonly default?: Json;
    }[];
    readonly elementType?: WrittenType;
    readonly elementRelationship?: string;
  };
}

/** Builds the schema from its written form. */
export function readSchema({ root, types }: WrittenSchema): MergeSchema {
  const read = (type: WrittenType): MergeSchema => {
    if (type.namedType === '__untyped_deduced_') return deduced;
    if (type.namedType !== undefined) {
      const named = types.find(({ name }) => name === type.namedType);
      if (!named) throw new Error(`There is no type ${type.namedType}.`);
      return read(named);
    }
    const { scalar, list, map } = type;
    return {
      ...(scalar ? { scalar } : {}),
      ...(list ? { list: readList(list) } : {}),
      ...(map ? { map: readMap(map) } : {}),
    };
  };
  const readList = (list: NonNullable<WrittenType['list']>): ListSchema => {
    const keys = list.keys ?? [];
    const item = () => read(list.elementType);
    if (list.elementRelationship === 'atomic') return { type: 'atomic', keys: [], item };
    return { type: keys.length > 0 ? 'map' : 'set', keys, item };
  };
  const readMap = ({ fields = [], ...map }: NonNullable<WrittenType['map']>): MapSchema => ({
    atomic: map.elementRelationship === 'atomic',
    fields: new Map(fields.map((field) => [field.name, { default: field.default }])),
    value: (name) => {
      const type = fields.find((field) => field.name === name)?.type ?? map.elementType;
      return type && read(type);
    },
  });
  return read({ namedType: root });
}
