import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import {
  type AccessScenario,
  ADMIN,
  type Caller,
  type ConfigurationPlan,
  type Grant,
  type ObjectPlan,
  type Operation,
  type Question,
  RBAC,
  type Reference,
  resourceRequest,
} from '../scenario/index.ts';
import { callers, certified, oneOf, plain, scenariosWith } from './arbitraries.ts';
import { writers } from './settings.ts';

const NAMES = ['s1', 's2'] as const;

const references: fc.Arbitrary<Reference> = fc.oneof(
  fc.record(
    {
      to: fc.constant('Secret' as const),
      name: oneOf(...NAMES),
      by: oneOf<Reference['by']>('volume', 'projected', 'env', 'envFrom', 'init', 'pull'),
    },
    plain,
  ),
  fc.record(
    {
      to: fc.constant('ConfigMap' as const),
      name: oneOf(...NAMES),
      by: oneOf<Reference['by']>('volume', 'projected', 'env', 'envFrom', 'init'),
    },
    plain,
  ),
  fc.record(
    {
      to: fc.constant('PersistentVolumeClaim' as const),
      name: oneOf(...NAMES),
      by: fc.constant('volume' as const),
    },
    plain,
  ),
);

const pods: fc.Arbitrary<ObjectPlan> = fc
  .record(
    {
      kind: fc.constant('Pod' as const),
      namespace: oneOf('a', 'a', 'b'),
      name: oneOf('p1', 'p2', 'p3'),
      node: oneOf('n1', 'n1', 'n2', undefined),
      account: oneOf('default', 'builder'),
      refers: fc.array(references, { maxLength: 3 }),
      mirror: fc.nat({ max: 5 }).map((n) => n === 0),
    },
    plain,
  )
  .map(({ node, mirror, ...pod }) => ({ ...pod, ...(node && { node }), ...(mirror && { mirror }) }));

const volumes: fc.Arbitrary<ObjectPlan> = fc
  .record(
    {
      kind: fc.constant('PersistentVolume' as const),
      name: oneOf('v1', 'v2'),
      claim: oneOf(...NAMES, undefined),
      secret: oneOf('s1', 's2', 's3', undefined),
    },
    plain,
  )
  .map(({ claim, secret, ...volume }) => ({ ...volume, ...(claim && { claim }), ...(secret && { secret }) }));

const nodeUsers: fc.Arbitrary<Caller> = fc.oneof(
  {
    weight: 8,
    arbitrary: oneOf(
      certified('system:node:n1', 'system:nodes'),
      certified('system:node:n2', 'system:nodes'),
    ),
  },
  {
    weight: 1,
    arbitrary: oneOf(
      certified('system:node:n1'),
      certified('n1', 'system:nodes'),
      certified('system:node:', 'system:nodes'),
      callers.jane,
    ),
  },
);

const at = (fields: Partial<Question>): Question => resourceRequest(fields);
const namedReads = fc
  .record(
    {
      verb: oneOf('get', 'get', 'list', 'watch', 'delete', 'update'),
      resource: oneOf(
        'secrets',
        'secrets',
        'configmaps',
        'persistentvolumeclaims',
        'persistentvolumes',
        'pods',
      ),
      subresource: oneOf('', '', '', '', 'status'),
      name: oneOf('s1', 's2', 's3', 'p1', 'v1', ''),
      namespace: oneOf('a', 'a', 'a', 'b', ''),
    },
    plain,
  )
  .map((fields) => at({ ...fields, ...(fields.resource === 'persistentvolumes' && { namespace: '' }) }));

/** Requests that a node's pods need: names that exist are likely. */
function wanted(all: readonly ObjectPlan[]): fc.Arbitrary<Question> {
  const own = all.flatMap((object): Question[] => {
    const { kind, namespace = '', name, refers = [], account, claim, secret } = object;
    if (kind === 'PersistentVolume')
      return [
        at({ resource: 'persistentvolumes', name }),
        ...(secret ? [at({ resource: 'secrets', namespace: 'a', name: secret })] : []),
        ...(claim ? [at({ resource: 'persistentvolumeclaims', namespace: 'a', name: claim })] : []),
      ];
    const plurals = {
      Secret: 'secrets',
      ConfigMap: 'configmaps',
      PersistentVolumeClaim: 'persistentvolumeclaims',
    };
    return [
      at({ resource: 'pods', namespace, name }),
      at({
        verb: 'create',
        resource: 'serviceaccounts',
        subresource: 'token',
        namespace,
        name: account ?? 'default',
      }),
      ...refers.map((each) => at({ resource: plurals[each.to], namespace, name: each.name })),
    ];
  });
  return own.length > 0 ? oneOf(...own) : namedReads;
}

const others: fc.Arbitrary<Question> = fc.oneof(
  fc
    .record(
      {
        verb: oneOf('get', 'list', 'watch', 'create', 'update', 'patch', 'delete'),
        subresource: oneOf('', '', 'status', 'proxy'),
        name: oneOf('n1', 'n2', ''),
      },
      plain,
    )
    .map((fields) => at({ resource: 'nodes', ...fields, name: fields.verb === 'create' ? '' : fields.name })),
  fc
    .record(
      {
        verb: oneOf('get', 'list', 'create', 'update', 'delete'),
        namespace: oneOf('kube-node-lease', 'kube-node-lease', 'a'),
        name: oneOf('n1', 'n2'),
      },
      plain,
    )
    .map((fields) =>
      at({
        apiGroup: 'coordination.k8s.io',
        resource: 'leases',
        ...fields,
        name: fields.verb === 'create' ? '' : fields.name,
      }),
    ),
  fc
    .record(
      {
        verb: oneOf('list', 'watch'),
        fieldSelector: oneOf(
          'spec.nodeName=n1',
          'spec.nodeName=n2',
          'spec.nodeName!=n1',
          'status.phase=Running',
          '',
        ),
      },
      plain,
    )
    .map(({ verb, fieldSelector }) =>
      at({ resource: 'pods', verb, ...(fieldSelector && { fieldSelector }) }),
    ),
  fc
    .record({ namespace: oneOf('a', 'b'), name: oneOf('default', 'builder', 'other') }, plain)
    .map((fields) => at({ verb: 'create', resource: 'serviceaccounts', subresource: 'token', ...fields })),
  oneOf(
    at({ verb: 'create', resource: 'pods', namespace: 'a' }),
    at({ verb: 'delete', resource: 'pods', namespace: 'a', name: 'p1' }),
    at({ verb: 'update', resource: 'pods', subresource: 'status', namespace: 'a', name: 'p1' }),
    at({ verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'a', name: 'p1' }),
    at({ verb: 'create', resource: 'pods', subresource: 'binding', namespace: 'a', name: 'p1' }),
    at({ verb: 'list', resource: 'services' }),
    at({ verb: 'create', resource: 'events', namespace: 'a' }),
    at({ verb: 'create', resource: 'subjectaccessreviews', apiGroup: 'authorization.k8s.io' }),
    at({ verb: 'list', resource: 'deployments', apiGroup: 'apps', namespace: 'a' }),
    at({ verb: 'get', resource: 'serviceaccounts', namespace: 'a', name: 'builder' }),
    at({ verb: 'create', resource: 'serviceaccounts', namespace: 'a' }),
  ),
);

const configurations = oneOf<ConfigurationPlan>(
  { anonymous: true, authorizers: ['Node', 'RBAC'] },
  { anonymous: true, authorizers: ['RBAC', 'Node'] },
  { anonymous: true, authorizers: ['Node'] },
);

/** Pods on nodes, what they refer to, and requests of the nodes; a pod goes, or comes back elsewhere. */
const onNodes: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(pods, { minLength: 1, maxLength: 3 }),
    fc.array(volumes, { maxLength: 2 }),
    fc.boolean(),
    fc.boolean(),
  )
  .chain(([all, some, isHeld, hasRole]) => {
    const objects = [...all, ...some];
    const asks = fc.tuple(
      nodeUsers,
      fc.oneof(
        { weight: 4, arbitrary: wanted(objects) },
        { weight: 2, arbitrary: namedReads },
        { weight: 2, arbitrary: others },
      ),
    );
    return fc
      .tuple(
        fc.array(asks, { minLength: 4, maxLength: 12 }),
        fc.nat({ max: all.length - 1 }),
        pods,
        fc.array(asks, { maxLength: 3 }),
      )
      .map(([requests, victim, next, more]) => {
        const ask = ([caller, question]: readonly [Caller, Question]): Operation => ({
          act: 'ask',
          caller,
          question,
        });
        const pod = all[victim] as ObjectPlan;
        return [
          ...(hasRole
            ? ([
                {
                  act: 'write',
                  caller: ADMIN,
                  verb: 'create',
                  grant: {
                    kind: 'ClusterRole',
                    name: 'r1',
                    rules: [{ verbs: ['get', 'delete'], apiGroups: [''], resources: ['secrets', 'nodes'] }],
                  },
                },
                {
                  act: 'write',
                  caller: ADMIN,
                  verb: 'create',
                  grant: {
                    kind: 'ClusterRoleBinding',
                    name: 'b1',
                    roleRef: { kind: 'ClusterRole', name: 'r1' },
                    subjects: [{ kind: 'Group', name: 'system:nodes', apiGroup: RBAC }],
                  },
                },
              ] as const)
            : []),
          ...objects.map((object): Operation => ({ act: 'make', object })),
          ...requests.map(ask),
          ...(isHeld ? [{ act: 'hold' } as const] : []),
          { act: 'remake', object: { ...next, namespace: pod.namespace ?? 'a', name: pod.name } },
          ...requests.map(ask),
          ...(isHeld ? [{ act: 'release' } as const] : []),
          ...more.map(ask),
        ] as readonly Operation[];
      });
  });

/** A volume with a secret, its claim, and two pods that may use the claim or another one. */
const onVolumes: fc.Arbitrary<readonly Operation[]> = fc
  .array(
    fc.record({ node: oneOf('n1', 'n2'), claim: oneOf('s1', 's2'), namespace: oneOf('a', 'a', 'b') }, plain),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((all) => [
    { act: 'make', object: { kind: 'PersistentVolume', name: 'v1', claim: 's1', secret: 's3' } },
    { act: 'make', object: { kind: 'PersistentVolume', name: 'v2' } },
    ...all.map(({ node, claim, namespace }, i): Operation => {
      const refers = [{ to: 'PersistentVolumeClaim', name: claim, by: 'volume' } as const];
      return {
        act: 'make',
        object: { kind: 'Pod', namespace, name: `p${i}`, node, account: 'default', refers },
      };
    }),
    ...['n1', 'n2'].flatMap((node) =>
      [
        at({ resource: 'persistentvolumes', name: 'v1' }),
        at({ resource: 'persistentvolumes', name: 'v2' }),
        at({ resource: 'secrets', namespace: 'a', name: 's3' }),
        at({ resource: 'secrets', namespace: 'b', name: 's3' }),
        at({ resource: 'persistentvolumeclaims', namespace: 'a', name: 's1' }),
        at({ resource: 'persistentvolumeclaims', namespace: '', name: 's1' }),
      ].map(
        (question): Operation => ({
          act: 'ask',
          caller: certified(`system:node:${node}`, 'system:nodes'),
          question,
        }),
      ),
    ),
  ]);

/** A node that may write roles: the rights that it has only as a node are not its rules, so it cannot grant them. */
const writing: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf('services', 'nodes'),
    oneOf('get', 'list'),
    oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
  )
  .map(([resource, verb, kind]) => {
    const role: Grant = {
      kind,
      ...(kind === 'Role' && { namespace: 'a' }),
      name: 'r1',
      rules: [{ verbs: [verb], apiGroups: [''], resources: [resource] }],
    };
    const caller = certified('system:node:n1', 'system:nodes', 'dev');
    return [
      ...writers,
      { act: 'ask', caller, question: at({ verb, resource, namespace: resource === 'nodes' ? '' : 'a' }) },
      { act: 'rules', caller, namespace: 'a' },
      { act: 'write', caller, verb: 'create', grant: role },
      { act: 'write', caller, verb: 'create', grant: { ...role, name: 'r2', rules: [] } },
    ];
  });

/** ★ The scenario classes about nodes. */
export const nodeWorkloads: readonly Workload<AccessScenario>[] = [
  { name: 'pods on nodes', scenarios: scenariosWith(onNodes, configurations), runs: 50 },
  { name: 'volumes on nodes', scenarios: scenariosWith(onVolumes, configurations), runs: 12 },
  { name: 'roles by nodes', scenarios: scenariosWith(writing, configurations), runs: 4 },
];
