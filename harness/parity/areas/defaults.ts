import type { Resource } from '../../api/define-resource.ts';
import { jobs } from '../../api/plain-resources.ts';
import { deployments, pods, replicaSets, secrets, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has } from '../expectation.ts';
import type { Written } from '../session.ts';
import { named, pod, replicated, service } from './manifests.ts';

const core = from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go');
const apps = from('kubernetes/kubernetes@v1.36.3 pkg/apis/apps/v1/defaults.go');
const qos = from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS');

const admission = from(
  'kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/defaulttolerationseconds/admission.go Plugin.Admit',
);

/** An object, and the fields that the server adds. */
type Defaulted = readonly [name: string, resource: Resource, object: Written, expected: object];

const bare = (container: object) => ({
  ...named('a'),
  spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: 'nginx:1.25', ...container }] },
});
const main = (expected: object) => ({ spec: { containers: [expected] } });
const httpGet = { path: '/', port: 80 };

const ofCore: readonly Defaulted[] = [
  [
    'A pod restarts always, uses the DNS of the cluster, and has 30 seconds to stop',
    pods,
    bare({}),
    {
      spec: {
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        terminationGracePeriodSeconds: 30,
        enableServiceLinks: true,
        securityContext: {},
      },
    },
  ],
  [
    'A container reports its end in a file',
    pods,
    bare({}),
    main({ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', resources: {} }),
  ],
  ['A port uses TCP', pods, bare({ ports: [{ containerPort: 80 }] }), main({ ports: [{ protocol: 'TCP' }] })],
  [
    'A probe runs each 10 seconds, and fails after 3 failures',
    pods,
    bare({ livenessProbe: { httpGet } }),
    main({
      livenessProbe: {
        httpGet: { scheme: 'HTTP' },
        periodSeconds: 10,
        timeoutSeconds: 1,
        successThreshold: 1,
        failureThreshold: 3,
        initialDelaySeconds: absent,
      },
    }),
  ],
  [
    'A limit is also the request',
    pods,
    bare({ resources: { limits: { cpu: '1', memory: '64Mi' } } }),
    main({ resources: { requests: { cpu: '1', memory: '64Mi' } } }),
  ],
  [
    'Quantities are normalized',
    pods,
    bare({ resources: { requests: { cpu: '0.5', memory: '1024Ki' } } }),
    main({ resources: { requests: { cpu: '500m', memory: '1Mi' } } }),
  ],
  [
    'Files of a volume with configuration have the mode 0644',
    pods,
    pod('a', {
      spec: {
        schedulerName: 'nobody',
        volumes: [{ name: 'v', configMap: { name: 'c' } }],
        containers: [{ name: 'x', image: 'i' }],
      },
    }),
    { spec: { volumes: has({ name: 'v', configMap: { name: 'c', defaultMode: 420 } }) } },
  ],
  [
    'A reference to a field names version v1',
    pods,
    bare({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    main({ env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }] }),
  ],
  [
    'A Service has the type ClusterIP, no affinity, and its port as target',
    services,
    service('a'),
    {
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ipFamilyPolicy: 'SingleStack',
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'Affinity to clients lasts three hours',
    services,
    service('a', { sessionAffinity: 'ClientIP' }),
    { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } },
  ],
  [
    'A NodePort Service accepts traffic on all nodes',
    services,
    service('a', { type: 'NodePort' }),
    { spec: { externalTrafficPolicy: 'Cluster' } },
  ],
  ['A Secret is opaque', secrets, named('a'), { type: 'Opaque' }],
];

const ofApps: readonly Defaulted[] = [
  [
    'A Deployment rolls a quarter of its pods, keeps ten revisions, and has ten minutes',
    deployments,
    replicated('a'),
    {
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    },
  ],
  ['A ReplicaSet has one replica', replicaSets, replicated('a'), { spec: { replicas: 1 } }],
  [
    'A Job runs one pod, and retries six times',
    jobs,
    {
      ...named('a'),
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'x', image: 'i' }] } },
      },
    },
    { spec: { parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed' } },
  ],
];

/** Resources of two containers, in words and as the pod has them, and the class of the pod. */
const CLASSES: readonly (readonly [name: string, qosClass: string, ...resources: object[]])[] = [
  ['no requests', 'BestEffort', {}, {}],
  ['one request', 'Burstable', { requests: { cpu: '1m' } }, {}],
  ['limits for one container', 'Burstable', { limits: { cpu: '1m', memory: '1Mi' } }, {}],
  [
    'limits for both containers',
    'Guaranteed',
    { limits: { cpu: '1m', memory: '1Mi' } },
    { limits: { cpu: '2m', memory: '2Mi' } },
  ],
];

const defaulted = (rows: readonly Defaulted[], declare: typeof core) =>
  rows.map(([name, resource, object, expected]) =>
    declare(name, async (api) => {
      await api.create(resource, object).answers(201, expected);
    }),
  );

/** Values that the server adds. */
export const defaults = area(
  'Defaults',
  defaulted(ofCore, core),
  defaulted(ofApps, apps),
  admission('A pod waits five minutes before it leaves a node that is not ready', async (api) => {
    const tolerated = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
    await api.create(pods, bare({})).answers(201, {
      spec: {
        tolerations: has(
          { key: 'node.kubernetes.io/not-ready', ...tolerated },
          { key: 'node.kubernetes.io/unreachable', ...tolerated },
        ),
      },
    });
  }),
  CLASSES.map(([name, qosClass, ...resources]) =>
    qos(`A pod with ${name} is ${qosClass}`, async (api) => {
      const containers = resources.map((one, at) => ({ name: `c${at}`, image: 'i', resources: one }));
      await api
        .create(pods, { ...named('a'), spec: { schedulerName: 'nobody', containers } })
        .answers(201, { status: { phase: 'Pending', qosClass } });
    }),
  ),
);
