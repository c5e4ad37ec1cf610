/** A value of JSON. */
type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a copy with other values for the fields of these names, at any depth. */
function rewritten(value: Json, rules: Readonly<Record<string, (value: Json) => Json>>): Json {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rules));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, item]) => {
      const rule = rules[field];
      const next = rewritten(rule ? rule(item) : item, rules);
      return next === undefined ? [] : [[field, next]];
    }),
  );
}

const ofList =
  (change: (list: readonly Json[]) => readonly Json[]) =>
  (value: Json): Json =>
    Array.isArray(value) ? change(value) : value;

const ofFields =
  (change: (fields: Fields) => Fields) =>
  (value: Json): Json =>
    isFields(value) ? change(value) : value;

const withoutLast = ofList((list) => list.slice(0, -1));
const withoutLastField = ofFields((fields) => Object.fromEntries(Object.entries(fields).slice(0, -1)));

/** Returns the object with additional labels. */
function labelled(object: object, labels: Fields): object {
  const { metadata } = object as { readonly metadata: Fields };
  const { labels: before } = metadata;
  return { ...object, metadata: { ...metadata, labels: { ...(isFields(before) ? before : {}), ...labels } } };
}

const suffixed = (value: Json): Json => (typeof value === 'string' ? `${value}-next` : value);

/** Returns an object of a manifest after its author has changed fields: images, values, numbers, items of lists. */
export function changed(object: object): object {
  const next = rewritten(object, {
    image: suffixed,
    replicas: (value) => (typeof value === 'number' ? value + 1 : value),
    env: ofList((list) => [
      { name: 'FIRST', value: 'new' },
      ...list.map((item) =>
        isFields(item) && typeof item.value === 'string' ? { ...item, value: `${item.value}+` } : item,
      ),
    ]),
    args: ofList((list) => [...list, '--verbose']),
    verbs: ofList((list) => (list.includes('*') ? list : [...list, 'deletecollection'])),
    data: ofFields((fields) => ({ ...fields, 'another.conf': 'a=<b> & "c"\n' })),
    volumes: ofList((list) => [...list, { name: 'scratch', emptyDir: {} }]),
    failurePolicy: (value) => (value === 'Fail' ? 'Ignore' : value),
    tolerations: ofList((list) => [...list, { operator: 'Exists', effect: 'NoExecute' }]),
    resources: (value) =>
      isFields(value) && isFields(value.limits)
        ? { ...value, limits: { ...value.limits, memory: '1Gi' } }
        : value,
    annotations: ofFields((fields) => ({ ...fields, 'example.com/changed': 'yes' })),
  }) as object;
  return labelled(next, { edited: 'true', tier: 'second' });
}

/** Returns an object after its author has removed fields: the last items of lists, the last keys of maps. */
export function trimmed(object: object): object {
  const { metadata } = object as { readonly metadata: Fields };
  const labels = withoutLastField(metadata.labels);
  return rewritten(
    { ...object, metadata: { ...metadata, labels } },
    {
      annotations: withoutLastField,
      args: withoutLast,
      env: withoutLast,
      volumes: withoutLast,
      imagePullSecrets: withoutLast,
      finalizers: withoutLast,
      data: withoutLastField,
      rules: ofList((list) => (list.length > 1 ? list.slice(0, -1) : list)),
      subjects: ofList((list) => (list.length > 1 ? list.slice(0, -1) : list)),
      webhooks: ofList((list) => (list.length > 1 ? list.slice(0, -1) : list)),
      ports: ofList((list) => (list.length > 1 ? list.slice(0, -1) : list)),
      additionalPrinterColumns: withoutLast,
      resources: (value) => (isFields(value) && 'limits' in value ? { ...value, limits: undefined } : value),
      securityContext: () => undefined,
      livenessProbe: () => undefined,
      strategy: () => undefined,
    },
  ) as object;
}

/** Returns a stored object after another user has changed it: fields of the manifest, and fields beside them. */
export function touched(object: object): object {
  const labels = { 'another.example.com/owner': 'somebody', tier: 'another' };
  // The schema of a definition has fields by these names, and the content of some objects cannot change.
  const { kind, immutable, type } = object as Fields;
  const isFixed =
    kind === 'CustomResourceDefinition' || immutable === true || type === 'kubernetes.io/dockerconfigjson';
  if (isFixed) return labelled(object, labels);
  const next = rewritten(object, {
    image: suffixed,
    replicas: () => 7,
    containers: ofList((list) => [{ name: 'injected', image: 'example.com/sidecar:1' }, ...list]),
    env: ofList((list) => [...list.slice(1), { name: 'INJECTED', value: 'by another' }]),
    verbs: ofList((list) => [...list, 'watch']),
    volumes: ofList((list) => [{ name: 'injected', emptyDir: {} }, ...list]),
    imagePullSecrets: ofList((list) => [...list, { name: 'another' }]),
    data: ofFields((fields) => Object.fromEntries(Object.keys(fields).map((key) => [key, 'b3RoZXI=']))),
  }) as object;
  return labelled(next, labels);
}
