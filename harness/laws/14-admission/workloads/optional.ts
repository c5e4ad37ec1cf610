import fc from 'fast-check';
import type * as core from '#api/core/v1';
import type { Workload } from '../../../testing/holds.ts';
import type { HookPlan } from '../scenario/hooks.ts';
import type {
  AdmissionScenario,
  ContainerPlan,
  Facts,
  Labels,
  ObjectPlan,
  PodPlan,
  RequestPlan,
  RequestVerb,
  Step,
  TokenPlan,
} from '../scenario/index.ts';
import { maybe, PLAIN, pausesBetween } from './objects.ts';
import { scenariosOf } from './parts.ts';

const LEVELS: readonly Labels[] = [
  {},
  { 'pod-security.kubernetes.io/enforce': 'privileged' },
  { 'pod-security.kubernetes.io/enforce': 'baseline' },
  { 'pod-security.kubernetes.io/enforce': 'restricted' },
  {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/enforce-version': 'latest',
  },
  { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.36' },
  { 'pod-security.kubernetes.io/warn': 'restricted', 'pod-security.kubernetes.io/audit': 'baseline' },
  { 'pod-security.kubernetes.io/enforce': 'baslene' },
  { 'pod-security.kubernetes.io/warn': 'strict', 'pod-security.kubernetes.io/enforce': 'baseline' },
  {
    'pod-security.kubernetes.io/enforce': 'baseline',
    'pod-security.kubernetes.io/enforce-version': 'v1.35',
    'pod-security.kubernetes.io/warn-version': 'v1.36',
  },
  {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/enforce-version': 'newest',
    'pod-security.kubernetes.io/audit': 'restricted',
  },
];

/** A container that every standard allows. */
const SAFE: core.SecurityContext = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
  capabilities: { drop: ['ALL'] },
};

/** A change of {@link SAFE}: each concerns one rule of a standard, on both sides of its border. */
const contexts: fc.Arbitrary<core.SecurityContext | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(SAFE) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom<Partial<core.SecurityContext>>(
        { allowPrivilegeEscalation: true, privileged: true },
        { allowPrivilegeEscalation: true },
        { runAsNonRoot: false },
        { runAsUser: 0 },
        { runAsUser: 1000 },
        { seccompProfile: { type: 'Unconfined' } },
        { seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' } },
        { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } },
        { capabilities: { drop: ['ALL'], add: ['CHOWN'] } },
        { capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } },
        { capabilities: { drop: ['CHOWN'] } },
        { appArmorProfile: { type: 'Unconfined' } },
        { appArmorProfile: { type: 'RuntimeDefault' } },
        { seLinuxOptions: { type: 'container_t' } },
        { seLinuxOptions: { type: 'spc_t' } },
        { seLinuxOptions: { user: 'root' } },
      )
      .map((own) => ({ ...SAFE, ...own })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('allowPrivilegeEscalation', 'runAsNonRoot', 'seccompProfile', 'capabilities')
      .map((missing) => Object.fromEntries(Object.entries(SAFE).filter(([key]) => key !== missing))),
  },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

const securedContainers: fc.Arbitrary<ContainerPlan> = fc
  .tuple(contexts, fc.constantFrom(undefined, undefined, undefined, 0, 8080))
  .map(([securityContext, hostPort]) => ({
    ...(securityContext ? { securityContext } : {}),
    ...(hostPort === undefined
      ? {}
      : { ports: [{ containerPort: 8080, ...(hostPort ? { hostPort } : {}) }] }),
  }));

const podContexts: fc.Arbitrary<core.PodSecurityContext | undefined> = maybe(
  fc.constantFrom<core.PodSecurityContext>(
    { runAsNonRoot: true },
    { runAsNonRoot: false },
    { runAsUser: 0 },
    { seccompProfile: { type: 'RuntimeDefault' } },
    { seccompProfile: { type: 'Unconfined' } },
    { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] },
    { sysctls: [{ name: 'kernel.msgmax', value: '65536' }] },
  ),
);

const specs: fc.Arbitrary<Partial<core.PodSpec> | undefined> = maybe(
  fc.constantFrom<Partial<core.PodSpec>>(
    { hostNetwork: true },
    { hostPID: true },
    { hostIPC: true },
    { volumes: [{ name: 'v', hostPath: { path: '/' } }] },
    { volumes: [{ name: 'v', emptyDir: {} }] },
    { volumes: [{ name: 'v', nfs: { server: 'a', path: '/' } }] },
    { volumes: [{ name: 'v', configMap: { name: 'a' } }] },
  ),
);

const securedPods: fc.Arbitrary<PodPlan> = fc
  .tuple(
    fc.array(securedContainers, { minLength: 1, maxLength: 2 }),
    maybe(fc.array(securedContainers, { minLength: 1, maxLength: 1 })),
    podContexts,
    specs,
  )
  .map(([containers, inits, securityContext, spec]) => ({
    containers,
    automounts: false,
    ...(inits ? { inits } : {}),
    ...(securityContext ? { securityContext } : {}),
    ...(spec ? { spec } : {}),
  }));

const secured: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom<ObjectPlan['kind']>('pod', 'pod', 'pod', 'deployment'),
    securedPods,
    fc.nat({ max: 1 }),
    fc.constantFrom('a', 'b', 'g-'),
    pausesBetween,
    fc.boolean(),
  )
  .map(([kind, pod, namespace, name, afterMs, isAgain]) => {
    const object = { kind, namespace, name, pod } as ObjectPlan;
    const request: RequestPlan = { do: 'request', server: 0, verb: 'create', object };
    if (!isAgain) return [{ afterMs, ...request }];
    // A pod that was stored before keeps running, and can be changed.
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    return [
      { afterMs, ...request },
      { afterMs: 400, do: 'change', change: { of: 'labels', namespace, labels } },
      { afterMs: 100, ...request, verb: 'patch' },
    ];
  });

/** Somebody writes the labels of a namespace with pods. */
const standards: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom(...LEVELS), fc.constantFrom('ns-0', 'ns-1', 'ns-2'), fc.boolean())
  .map(([labels, name, isUpdate]) => [
    {
      ...{ afterMs: 500, do: 'request', server: 0 },
      verb: name === 'ns-2' ? 'create' : isUpdate ? 'update' : 'patch',
      object: { kind: 'namespace', name, labels },
    },
  ]);

const standardFacts: fc.Arbitrary<Facts> = fc
  .tuple(fc.constantFrom(...LEVELS), fc.constantFrom(...LEVELS))
  .map((namespaces) => ({ namespaces, ranges: [], classes: [], accounts: [], quotas: [], hooks: [] }));

/** ★ Pods in namespaces with a Pod Security Standard. */
export const standardWorkloads: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'namespaces with a standard',
    scenarios: scenariosOf({
      facts: standardFacts,
      group: fc.oneof({ weight: 3, arbitrary: secured }, { weight: 1, arbitrary: standards }),
      max: 4,
      replicas: fc.constant(1),
    }),
    runs: 100,
  },
];

const NODE_LABELS: readonly Labels[] = [
  {},
  { mine: 'x' },
  { 'kubernetes.io/arch': 'arm64' },
  { 'kubelet.kubernetes.io/a': 'x' },
  { 'node.kubernetes.io/a': 'x' },
  { 'topology.kubernetes.io/zone': 'a' },
  { 'node-restriction.kubernetes.io/team': 'x' },
  { 'kubernetes.io/role': 'master' },
  { 'example.k8s.io/a': 'x' },
];

const TAINTS = [{ key: 'mine', effect: 'NoSchedule' }];

const kubelets: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom('node-a', 'node-b'),
    fc.constantFrom('its own', 'its own', 'node-a', 'node-b'),
    fc.constantFrom<readonly [RequestVerb, ObjectPlan['kind'], NonNullable<PodPlan['mirrors']>]>(
      ['create', 'pod', true],
      ['create', 'pod', true],
      ['create', 'pod', true],
      ['create', 'pod', true],
      ['create', 'pod', true],
      ['create', 'pod', true],
      ['create', 'pod', 'without a hash'],
      ['create', 'pod', false],
      ['token', 'pod', false],
      ['token', 'pod', false],
      ['token', 'pod', false],
      ['token', 'pod', false],
      ['delete', 'pod', true],
      ['status', 'pod', false],
      ['evict', 'pod', false],
      ['bind', 'pod', false],
      ['patch', 'pod', false],
      ['patch', 'node', false],
      ['update', 'node', false],
      ['create', 'node', false],
      ['delete', 'node', false],
      ['status', 'node', false],
      ['status', 'node', false],
      ['create', 'configmap', false],
    ),
    fc.constantFrom(...NODE_LABELS),
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.constantFrom<Partial<PodPlan>>(
      {},
      {},
      {},
      {},
      {},
      { ownerFlaw: 'two' },
      { ownerFlaw: 'another uid' },
      { ownerFlaw: 'another uid' },
      { ownerFlaw: 'another uid' },
      { ownerFlaw: 'no controller' },
      { ownerFlaw: 'blocking' },
      { ownerVersion: 'example.com/v1' },
      { serviceAccountName: 'default' },
      { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } },
      { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } },
      { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } },
    ),
    fc.record({
      isPlaced: fc.boolean(),
      isOwned: fc.boolean(),
      isUnbound: fc.constantFrom(true, false, false, false),
      token: fc.constantFrom<TokenPlan>(
        {},
        {},
        { bound: 'to nothing' },
        { bound: 'without a uid' },
        { bound: 'with another uid' },
        { audiences: ['vault'] },
        { audiences: ['', 'vault'] },
      ),
    }),
  )
  .map(([node, place, [verb, kind, mirrors], labels, name, extra, more]): readonly Step[] => {
    const { isPlaced, isOwned, isUnbound, token } = more;
    const nodeName = place === 'its own' ? node : place;
    const owner = isOwned ? { owner: node } : {};
    const pod: PodPlan = { ...PLAIN, nodeName, ...owner, ...(mirrors ? { mirrors, ...extra } : {}) };
    const object: ObjectPlan =
      kind === 'pod'
        ? { kind, namespace: 0, name, pod }
        : kind === 'node'
          ? { kind, name: nodeName, labels, ...(isOwned ? { taints: TAINTS } : { isOwned: isPlaced }) }
          : { kind: 'configmap', namespace: 0, name };
    const placed: Step = {
      afterMs: 100,
      do: 'request',
      server: 0,
      verb: 'create',
      object: { kind: 'pod', namespace: 0, name, pod: isUnbound ? PLAIN : { ...PLAIN, nodeName } },
    };
    const asked = verb === 'token' ? { token } : {};
    const own: Step = { afterMs: 300, do: 'request', server: 0, verb, object, node, ...asked };
    return isPlaced && verb !== 'create' ? [placed, own] : [own];
  });

const NODES: readonly NonNullable<Facts['nodes']>[] = [
  { 'node-a': {}, 'node-b': { mine: 'x', 'kubernetes.io/role': 'x' } },
  { 'node-a': {} },
];
/** A webhook gives each new pod a ConfigMap. */
const SHARING: HookPlan = {
  ...{ phase: 'mutating', config: 'config-a', failurePolicy: 'Fail' },
  rules: [{ operations: ['CREATE'], resources: ['pods'] }],
  answer: { is: 'patch', patch: { to: 'share' } },
};

const nodeFacts: fc.Arbitrary<Facts> = fc
  .tuple(fc.constantFrom(...NODES), fc.constantFrom<readonly HookPlan[]>([], [], [SHARING]))
  .map(([nodes, hooks]) => ({
    ...{ namespaces: [{}], ranges: [], classes: [], accounts: [], quotas: [], hooks },
    nodes,
  }));

/** ★ Requests of kubelets. */
export const kubeletWorkloads: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'kubelets and their nodes',
    scenarios: scenariosOf({ facts: nodeFacts, group: kubelets, max: 5, replicas: fc.constant(1) }),
    runs: 100,
  },
];
