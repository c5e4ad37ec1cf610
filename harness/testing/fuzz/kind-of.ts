/** The names of a kind. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the kind in an object's own fields; a field that is not a string counts as empty. */
export function kindOf(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): Kind {
  const [version = '', group = ''] = textOf(object.apiVersion).split('/').reverse();
  return { group, version, kind: textOf(object.kind) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
