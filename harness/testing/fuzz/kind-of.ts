/** The names of a kind. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kind that an object says it is of; of what is no text it says nothing. */
export function kindOf(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): Kind {
  const [version = '', group = ''] = textOf(object.apiVersion).split('/').reverse();
  return { group, version, kind: textOf(object.kind) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
