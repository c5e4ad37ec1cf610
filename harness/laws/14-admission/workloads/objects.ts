import fc from 'fast-check';
import type {
  AccountPlan,
  ClassPlan,
  ContainerPlan,
  Labels,
  ObjectPlan,
  PodPlan,
  RangePlan,
  RequestPlan,
  RequestVerb,
  Selector,
  Step,
} from '../scenario/index.ts';
import { KUBE_SYSTEM, NOWHERE } from '../scenario/index.ts';

/** Absent, or a value of the arbitrary. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

/** A record whose undefined fields are absent. */
export function partial<T extends object>(
  fields: {
    readonly [K in keyof T]-?: fc.Arbitrary<T[K] | undefined>;
  },
): fc.Arbitrary<T> {
  return fc
    .record(fields as never)
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all as object).filter(([, value]) => value !== undefined)) as T,
    );
}

export const labels: fc.Arbitrary<Labels> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.constantFrom<Labels>({ a: 'x' }, { a: 'y' }, { b: 'x' }, { a: 'x', b: 'y' }) },
);

/** A label selector with each operator. */
export const selectors: fc.Arbitrary<Selector> = fc.oneof(
  fc.constant({}),
  fc.constantFrom<Selector>({ matchLabels: { a: 'x' } }, { matchLabels: { a: 'x', b: 'y' } }),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'))
    .map(([key, operator]): Selector => {
      const values = operator === 'In' || operator === 'NotIn' ? { values: ['x'] } : {};
      return { matchExpressions: [{ key, operator, ...values }] };
    }),
);

const amounts = (small: readonly string[], large: readonly string[]) =>
  fc
    .record({ cpu: maybe(fc.constantFrom(...small), 3), memory: maybe(fc.constantFrom(...large)) })
    .map(({ cpu, memory }) => ({ ...(cpu && { cpu }), ...(memory && { memory }) }));
const requests = amounts(['50m', '100m', '0.2', '1'], ['64Mi', '1Gi']);
const limits = amounts(['1', '1500m', '2'], ['1Gi', '2Gi']);

export const containers: fc.Arbitrary<ContainerPlan> = partial<ContainerPlan>({
  requests: maybe(requests, 2),
  limits: maybe(limits),
  claims: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  mounted: maybe(fc.constantFrom(true, true, 'below' as const)),
  securityContext: fc.constant(undefined),
  ports: fc.constant(undefined),
});

const tolerations = fc.array(
  fc
    .record({
      key: fc.constantFrom('node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable', 'mine', ''),
      effect: fc.constantFrom('NoExecute', 'NoSchedule', ''),
      seconds: maybe(fc.constant(60)),
    })
    .map(({ key, effect, seconds }) => ({
      operator: 'Exists',
      ...(key && { key }),
      ...(effect && { effect }),
      ...(seconds && effect === 'NoExecute' ? { tolerationSeconds: seconds } : {}),
    })),
  { minLength: 1, maxLength: 2 },
);

/** The names of PriorityClasses. One of them never exists. */
const classNames = fc.constantFrom('low', 'high', 'high', 'never', 'never', 'missing');

/** Pods with every field that plugins read. */
export const pods: fc.Arbitrary<PodPlan> = partial<PodPlan>({
  containers: fc.array(containers, { minLength: 1, maxLength: 2 }),
  inits: maybe(fc.array(containers, { minLength: 1, maxLength: 1 })),
  tolerations: maybe(tolerations),
  priorityClassName: maybe(classNames),
  priority: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(0, 7, 100) },
  ),
  preemptionPolicy: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('Never', 'PreemptLowerPriority') },
  ),
  serviceAccountName: fc.constantFrom(
    ...Array<undefined>(6).fill(undefined),
    'robot',
    'robot',
    'quiet',
    'quiet',
    'quiet',
    'missing',
  ),
  automounts: maybe(fc.boolean(), 2),
  pullSecrets: maybe(fc.constant(['mine'])),
  deadline: maybe(fc.constant(60)),
  hasVolume: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  nodeName: fc.constant(undefined),
  owner: fc.constant(undefined),
  ownerVersion: fc.constant(undefined),
  ownerFlaw: fc.constant(undefined),
  mirrors: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  securityContext: fc.constant(undefined),
  spec: fc.constant(undefined),
}).map(({ mirrors, nodeName = 'node-a', ...rest }) => (mirrors ? { ...rest, mirrors, nodeName } : rest));

/** A pod without anything special. */
export const PLAIN: PodPlan = { containers: [{}] };

export const ranges = (namespaces: number): fc.Arbitrary<readonly RangePlan[]> =>
  fc
    .array(
      fc.constantFrom<RangePlan['limits'][number]>(
        { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' } },
        { type: 'Container', default: { cpu: '2', memory: '1Gi' } },
        { type: 'Container', defaultRequest: { memory: '64Mi' } },
        { type: 'Container', max: { cpu: '1500m' }, min: { cpu: '60m' } },
        { type: 'Container', maxLimitRequestRatio: { cpu: '4' }, default: { cpu: '1' } },
        { type: 'Pod', max: { cpu: '2' } },
        { type: 'Pod', min: { memory: '128Mi' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
        {
          type: 'PersistentVolumeClaim',
          max: { storage: '5Gi' },
          default: { cpu: '2' },
          defaultRequest: { cpu: '200m' },
        },
        { type: 'example.com/Job', max: { cpu: '3' }, default: { cpu: '3', memory: '2Gi' } },
      ),
      { minLength: 1, maxLength: 3 },
    )
    .chain((limits) => {
      // Two defaults of one kind would apply in an order that upstream leaves open.
      const distinct = limits.filter(({ type }, i) => limits.findIndex((each) => each.type === type) === i);
      return fc
        .constantFrom(namespaces, namespaces, 1)
        .map((count) =>
          Array.from({ length: count }, (_, namespace) =>
            distinct.map((limit): RangePlan => ({ namespace, limits: [limit] })),
          ).flat(),
        );
    });

export const classes: fc.Arbitrary<readonly ClassPlan[]> = fc
  .record({
    low: fc.constantFrom(true, true, false),
    high: fc.constantFrom(true, true, false),
    never: fc.boolean(),
    defaults: fc.oneof(fc.subarray(['low', 'high', 'never']), fc.constant<string[]>(['low', 'high'])),
  })
  .map(({ low, high, never, defaults }) => [
    ...(low ? [{ name: 'low', value: 7, isDefault: defaults.includes('low') }] : []),
    ...(high ? [{ name: 'high', value: 100, isDefault: defaults.includes('high') }] : []),
    ...(never
      ? [
          {
            name: 'never',
            value: 50,
            isDefault: defaults.includes('never'),
            preemptionPolicy: 'Never' as const,
          },
        ]
      : []),
  ]);

export const accounts = (namespaces: number): fc.Arbitrary<readonly AccountPlan[]> =>
  fc.constantFrom(
    Array.from({ length: namespaces }, (_, namespace): AccountPlan[] => [
      { namespace, name: 'robot', automounts: true, pullSecrets: ['pull'] },
      { namespace, name: 'quiet', automounts: false },
    ]).flat(),
  );

const CONNECTS = ['exec', 'attach', 'portforward', 'proxy'] as const;

/** The verbs of each kind. */
const VERBS: Readonly<Partial<Record<ObjectPlan['kind'], readonly RequestVerb[]>>> = {
  pod: ['create', 'update', 'replace', 'patch', 'apply', 'delete', 'status', 'bind', 'evict', ...CONNECTS],
  deployment: ['create', 'patch', 'apply', 'delete', 'status', 'scale'],
  hooks: ['create', 'delete'],
  class: ['create'],
  node: ['create', 'patch', 'delete'],
  namespace: ['create', 'patch', 'update', 'delete'],
};
const OTHERS: readonly RequestVerb[] = ['create', 'update', 'replace', 'patch', 'apply', 'delete'];

/** Objects of the kinds. With several namespaces, some are in `kube-system`. */
export function objects(
  kinds: readonly ObjectPlan['kind'][],
  namespaces: number,
  podPlans = pods,
): fc.Arbitrary<ObjectPlan> {
  const named = {
    namespace: fc.oneof(
      { weight: 9, arbitrary: fc.nat({ max: namespaces - 1 }) },
      { weight: namespaces > 1 ? 1 : 0, arbitrary: fc.constant(KUBE_SYSTEM) },
    ),
    name: fc.constantFrom('a', 'b', 'c', 'g-'),
    labels,
  };
  return fc.constantFrom(...kinds).chain((kind): fc.Arbitrary<ObjectPlan> => {
    switch (kind) {
      case 'pod':
      case 'deployment':
        return fc.record({ kind: fc.constant(kind), ...named, pod: podPlans });
      case 'service':
        return fc.record({
          kind: fc.constant(kind),
          ...named,
          type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'),
        });
      case 'claim':
        return fc.record({
          kind: fc.constant(kind),
          ...named,
          storage: fc.constantFrom('512Mi', '2Gi', '4Gi', '8Gi'),
        });
      case 'class':
        return fc
          .tuple(fc.constantFrom('low', 'other', 'third'), fc.boolean(), fc.integer({ min: 1, max: 9 }))
          .map(([name, isDefault, value]) => ({ kind, plan: { name, value: value * 3, isDefault } }));
      case 'hooks':
        return fc
          .tuple(
            fc.constantFrom('mutating' as const, 'validating' as const),
            fc.constantFrom('own-a', 'own-b'),
          )
          .map(([phase, name]) => ({ kind, phase, name }));
      case 'namespace':
        return fc
          .tuple(fc.constantFrom('ns-0', 'ns-1', 'ns-9', 'default', 'kube-public'), labels)
          .map(([name, own]) => ({ kind, name, labels: own }));
      case 'node':
        return fc
          .tuple(fc.constantFrom('node-a', 'node-b'), labels)
          .map(([name, own]) => ({ kind, name, labels: own }));
      default:
        return fc.record({ kind: fc.constant(kind), ...named });
    }
  });
}

/** Options of {@link requestsOf}. */
interface RequestOptions {
  readonly kinds: readonly ObjectPlan['kind'][];
  readonly namespaces: number;
  readonly pods?: fc.Arbitrary<PodPlan>;
  readonly dryRuns?: number;
  readonly verbs?: readonly RequestVerb[];
}

const users: fc.Arbitrary<RequestPlan['by']> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom('administrator' as const, 'controller' as const) },
);

/** A request, or a create and another request for the same object. */
export function requestsOf({
  kinds,
  namespaces,
  pods: podPlans,
  dryRuns = 1,
  verbs,
}: RequestOptions): fc.Arbitrary<readonly RequestPlan[]> {
  const isDry = fc.oneof(
    { weight: 10 - dryRuns, arbitrary: fc.constant(false) },
    { weight: dryRuns, arbitrary: fc.constant(true) },
  );
  const server = fc.nat({ max: 1 });
  return objects(kinds, namespaces, podPlans).chain((object) => {
    const known = (VERBS[object.kind] ?? OTHERS).filter(
      (verb) => verbs === undefined || verbs.includes(verb),
    );
    const request = (
      verb: fc.Arbitrary<RequestVerb>,
      planned: fc.Arbitrary<ObjectPlan>,
    ): fc.Arbitrary<RequestPlan> =>
      fc
        .record({ server, verb, object: planned, dryRun: isDry, by: users, turn: fc.nat({ max: 3 }) })
        .map(({ dryRun, by, turn, ...rest }): RequestPlan => {
          const isConnect = (CONNECTS as readonly RequestVerb[]).includes(rest.verb);
          const elsewhere = isConnect && turn === 0 ? { namespace: NOWHERE } : {};
          const self = rest.object.kind === 'node' && turn < 2 ? rest.object.name : undefined;
          return {
            do: 'request',
            ...rest,
            object: { ...rest.object, ...elsewhere } as ObjectPlan,
            ...(dryRun && !isConnect ? { dryRun } : {}),
            ...(self ? { node: self } : by ? { by } : {}),
          };
        });
    const again = fc
      .tuple(
        labels,
        fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'),
        fc.constantFrom('1Gi', '3Gi', '8Gi'),
        maybe(fc.constantFrom(60)),
      )
      .map(([own, type, storage, deadline]): ObjectPlan => {
        if (object.kind === 'class' || object.kind === 'hooks') return object;
        const next = { ...object, labels: own } as ObjectPlan;
        if (next.kind === 'service') return { ...next, type: type as never };
        if (next.kind === 'claim') return { ...next, storage };
        if (next.kind === 'pod' && deadline) return { ...next, pod: { ...next.pod, deadline } };
        return next;
      });
    const create = request(fc.constant('create'), fc.constant(object));
    const others = fc.constantFrom(...known);
    return fc.oneof(
      { weight: 2, arbitrary: fc.tuple(create) },
      {
        weight: 3,
        arbitrary: fc.tuple(
          create.map(({ dryRun: _, ...rest }) => rest as RequestPlan),
          request(others, again),
        ),
      },
      { weight: 1, arbitrary: fc.tuple(request(others, fc.constant(object))) },
    );
  });
}

/** The pause before a request: none, within a round trip, or until the one before is over. */
export const pausesBetween: fc.Arbitrary<number> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 4, arbitrary: fc.constantFrom(500, 1_500) },
);

/** Requests with pauses. */
export function stepsOf(options: RequestOptions, pauses = pausesBetween): fc.Arbitrary<readonly Step[]> {
  return fc
    .tuple(requestsOf(options), pauses, pauses)
    .map(([requests, first, second]) =>
      requests.map((request, i): Step => ({ afterMs: i === 0 ? first : second, ...request })),
    );
}
