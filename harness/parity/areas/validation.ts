import type { Resource } from '../../api/define-resource.ts';
import { configMaps, deployments, pods, replicaSets, secrets, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import type { Written } from '../session.ts';
import { named, pod, replicated, service } from './manifests.ts';

const core = from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go');
const apps = from('kubernetes/kubernetes@v1.36.3 pkg/apis/apps/validation/validation.go');

/** An object that the server rejects, with its whole message. */
type Rejected = readonly [name: string, resource: Resource, object: Written, message: string];

const container = (parts: object) => pod('a', { main: parts });
const strategy = (rollingUpdate: object) =>
  replicated('a', { strategy: { type: 'RollingUpdate', rollingUpdate } });
const LABEL_RULES =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_RULES =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const ofCore: readonly Rejected[] = [
  [
    'A pod without containers',
    pods,
    { ...named('a'), spec: {} },
    'Pod "a" is invalid: spec.containers: Required value',
  ],
  [
    'A container without an image',
    pods,
    container({ image: '' }),
    'Pod "a" is invalid: spec.containers[0].image: Required value',
  ],
  [
    'A second container of the same name',
    pods,
    pod('a', {
      spec: {
        containers: [
          { name: 'x', image: 'i' },
          { name: 'x', image: 'i' },
        ],
      },
    }),
    'Pod "a" is invalid: spec.containers[1].name: Duplicate value: "x"',
  ],
  [
    'An unknown restart policy',
    pods,
    pod('a', { spec: { restartPolicy: 'Sometimes' } }),
    'Pod "a" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'A port above 65535',
    pods,
    container({ ports: [{ containerPort: 70_000 }] }),
    'Pod "a" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'A limit below its request',
    pods,
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    'Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'A mount of a volume that the pod does not have',
    pods,
    container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    'Pod "a" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'A second volume of the same name',
    pods,
    pod('a', {
      spec: {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
        containers: [{ name: 'x', image: 'i' }],
      },
    }),
    'Pod "a" is invalid: spec.volumes[1].name: Duplicate value: "v"',
  ],
  [
    'A probe with two handlers',
    pods,
    container({ livenessProbe: { exec: { command: ['true'] }, tcpSocket: { port: 80 } } }),
    'Pod "a" is invalid: spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'A probe without a handler',
    pods,
    container({ readinessProbe: { periodSeconds: 1 } }),
    'Pod "a" is invalid: spec.containers[0].readinessProbe: Required value: must specify a handler type',
  ],
  [
    'A liveness probe that must succeed twice',
    pods,
    container({ livenessProbe: { exec: { command: ['true'] }, successThreshold: 2 } }),
    'Pod "a" is invalid: spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'An environment variable with a value and a source',
    pods,
    container({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    'Pod "a" is invalid: spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'A pod with an invalid label',
    pods,
    pod('a', { labels: { k: 'not valid' } }),
    `Pod "a" is invalid: metadata.labels: Invalid value: "not valid": ${LABEL_RULES}`,
  ],
  [
    'A name with capitals',
    configMaps,
    named('Abc'),
    `ConfigMap "Abc" is invalid: metadata.name: Invalid value: "Abc": ${SUBDOMAIN_RULES}`,
  ],
  [
    'A key of a ConfigMap with a slash',
    configMaps,
    { ...named('a'), data: { 'x/y': '' } },
    `ConfigMap "a" is invalid: data[x/y]: Invalid value: "x/y": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
  ],
  [
    'A Secret for a registry without its file',
    secrets,
    { ...named('a'), type: 'kubernetes.io/dockerconfigjson' },
    'Secret "a" is invalid: data[.dockerconfigjson]: Required value',
  ],
  [
    'A Service without ports',
    services,
    service('a', { ports: [] }),
    'Service "a" is invalid: spec.ports: Required value',
  ],
  [
    'A Service with two ports and no names',
    services,
    service('a', { ports: [{ port: 80 }, { port: 81 }] }),
    'Service "a" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
  [
    'A node port outside the range',
    services,
    service('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'An ExternalName Service without a name',
    services,
    { ...named('a'), spec: { type: 'ExternalName' } },
    'Service "a" is invalid: spec.externalName: Required value',
  ],
  [
    'A headless NodePort Service',
    services,
    service('a', { type: 'NodePort', clusterIP: 'None' }),
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
  ],
];

const ofApps: readonly Rejected[] = [
  [
    'A Deployment whose template does not match its selector',
    deployments,
    replicated('a', { selector: { matchLabels: { app: 'other' } } }),
    'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  ],
  [
    'A Deployment that may neither add nor remove a pod',
    deployments,
    strategy({ maxSurge: 0, maxUnavailable: 0 }),
    'Deployment.apps "a" is invalid: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    'A Deployment that may lose more than all pods',
    deployments,
    strategy({ maxUnavailable: '101%' }),
    'Deployment.apps "a" is invalid: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'A deadline that is not above minReadySeconds',
    deployments,
    replicated('a', { minReadySeconds: 60, progressDeadlineSeconds: 60 }),
    'Deployment.apps "a" is invalid: spec.progressDeadlineSeconds: Invalid value: 60: must be greater than minReadySeconds',
  ],
  [
    'A negative number of replicas',
    replicaSets,
    replicated('a', { replicas: -1 }),
    'ReplicaSet.apps "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'A ReplicaSet whose pods run once',
    replicaSets,
    replicated('a', {}, { spec: { restartPolicy: 'Never' } }),
    'ReplicaSet.apps "a" is invalid: spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
];

const rejected = (rows: readonly Rejected[], declare: typeof core) =>
  rows.map(([name, resource, object, message]) =>
    declare(`${name} is invalid`, async (api) => {
      await api.create(resource, object).refused(422, message, { reason: 'Invalid' });
    }),
  );

/** Rejecting invalid objects, in the words of the server. */
export const validation = area(
  'Validation',
  rejected(ofCore, core),
  rejected(ofApps, apps),
  apps('The selector of a Deployment is immutable', async (api) => {
    await api.made(deployments, replicated('a', { replicas: 0 }));
    const labels = { app: 'a', more: 'x' };
    await api
      .patch(deployments, 'a', 'merge', {
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
      })
      .refused(422, /spec\.selector: Invalid value: .*: field is immutable$/);
  }),
  core('Most fields of a pod are immutable', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    await api
      .patch(pods, 'a', 'merge', { spec: { hostNetwork: true } })
      .refused(
        422,
        /^Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)/,
      );
    await api
      .patch(pods, 'a', 'strategic', { spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } })
      .answers(200);
  }),
  core('The type of a Secret is immutable', async (api) => {
    await api.made(secrets, named('a'));
    await api
      .patch(secrets, 'a', 'merge', { type: 'example.com/other' })
      .refused(422, 'Secret "a" is invalid: type: Invalid value: "example.com/other": field is immutable');
  }),
  core('The cluster IP of a Service is immutable', async (api) => {
    await api.made(services, service('a'));
    await api
      .patch(services, 'a', 'merge', { spec: { clusterIP: 'None', clusterIPs: ['None'] } })
      .refused(422, /spec\.clusterIPs\[0\]: Invalid value: \["None"\]: may not change once set/);
  }),
  core('A message about several errors lists all of them', async (api) => {
    await api
      .create(pods, pod('a', { main: { image: '', name: 'B' } }))
      .refused(
        422,
        /^Pod "a" is invalid: \[spec\.containers\[0\]\.name: Invalid value: "B": .*, spec\.containers\[0\]\.image: Required value\]$/,
        {
          details: {
            name: 'a',
            kind: 'Pod',
            causes: [
              { reason: 'FieldValueInvalid', field: 'spec.containers[0].name' },
              { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers[0].image' },
            ],
          },
        },
      );
  }),
);
