import { configMaps, pods, secrets } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { has } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, script } from './manifests.ts';

const kubelet = 'kubernetes/kubernetes@v1.36.3 pkg/kubelet/';
const env = from(`${kubelet}kubelet_pods.go Kubelet.makeEnvironmentVariables`, 'a node');
const fields = from(`${kubelet}kubelet_pods.go Kubelet.podFieldSelectorRuntimeValue`, 'a node');
const projected = from(
  'kubernetes/kubernetes@v1.36.3 pkg/volume/projected/projected.go projectedVolumeMounter.SetUpAt',
  'a node',
);
const configMap = from(
  'kubernetes/kubernetes@v1.36.3 pkg/volume/configmap/configmap.go MakePayload',
  'a node',
);
const mounts = from(`${kubelet}kubelet_pods.go makeMounts`, 'a node');
const hosts = from(`${kubelet}kubelet_pods.go managedHostsFileContent`, 'a node');

const FAILED = { status: { phase: 'Failed' } };

/** Runs a script in a pod to its end, and compares what it prints. */
async function prints(
  api: Session,
  text: string,
  output: string | RegExp,
  parts: Parameters<typeof script>[2] = {},
): Promise<void> {
  await api.made(pods, script('a', text, parts));
  await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
  await api.logs('a').answers(200, output);
}

const ref = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
const volume = (name: string, source: object) => ({
  main: { volumeMounts: [{ name, mountPath: '/v' }] },
  spec: { volumes: [{ name, ...source }] },
});

/** Environment variables, volumes, and files of containers. */
export const configuration = area(
  'Configuration',
  env('Variables refer to earlier variables', (api) =>
    prints(api, 'echo "$A $B $C $D"', 'x x-y $(A) $(NONE)\n', {
      main: {
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', value: '$(A)-y' },
          { name: 'C', value: '$$(A)' },
          { name: 'D', value: '$(NONE)' },
        ],
      },
    }),
  ),
  env('Arguments refer to variables', (api) =>
    prints(api, '', 'hello x\n', {
      main: { command: ['echo'], args: ['hello', '$(A)'], env: [{ name: 'A', value: 'x' }] },
    }),
  ),
  env('Variables come from ConfigMaps and Secrets', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { colour: 'blue' } });
    await api.made(secrets, { ...named('s'), stringData: { key: 'hidden' } });
    await prints(api, 'echo "$COLOUR $KEY [$MISSING]"', 'blue hidden []\n', {
      main: {
        env: [
          { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'c', key: 'colour' } } },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'key' } } },
          { name: 'MISSING', valueFrom: { configMapKeyRef: { name: 'c', key: 'none', optional: true } } },
        ],
      },
    });
  }),
  env('envFrom takes all keys, with a prefix', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { A: '1', B: '2' } });
    await prints(api, 'echo "$X_A $X_B $A"', '1 2 own\n', {
      main: { envFrom: [{ prefix: 'X_', configMapRef: { name: 'c' } }], env: [{ name: 'A', value: 'own' }] },
    });
  }),
  env('A container waits for a missing ConfigMap', async (api) => {
    await api.made(
      pods,
      script('a', 'echo "$A"', {
        main: { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'late', key: 'k' } } }] },
      }),
    );
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Pending',
        containerStatuses: [
          {
            state: {
              waiting: { reason: 'CreateContainerConfigError', message: 'configmap "late" not found' },
            },
          },
        ],
      },
    });
    await api.made(configMaps, { ...named('late'), data: { k: 'now' } });
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED });
    await api.logs('a').answers(200, 'now\n');
  }),
  env('A missing key is an error of the configuration', async (api) => {
    await api.made(configMaps, named('c'));
    await api.made(
      pods,
      script('a', 'true', {
        main: { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }] },
      }),
    );
    await api.get(pods, 'a').becomes({
      status: {
        containerStatuses: [
          {
            state: {
              waiting: {
                reason: 'CreateContainerConfigError',
                message: `couldn't find key k in ConfigMap ${api.namespace}/c`,
              },
            },
          },
        ],
      },
    });
  }),
  fields('A container learns about its pod', async (api) => {
    const text =
      'echo "$NAME $SPACE $LABEL"; test "$IP" && test "$HOST" && test "$NODE" && test "$ID" && echo all';
    await prints(api, text, `a ${api.namespace} x\nall\n`, {
      labels: { app: 'x' },
      main: {
        env: [
          { name: 'NAME', ...ref('metadata.name') },
          { name: 'SPACE', ...ref('metadata.namespace') },
          { name: 'LABEL', ...ref("metadata.labels['app']") },
          { name: 'IP', ...ref('status.podIP') },
          { name: 'HOST', ...ref('status.hostIP') },
          { name: 'NODE', ...ref('spec.nodeName') },
          { name: 'ID', ...ref('metadata.uid') },
        ],
      },
    });
  }),
  fields('A container learns its resources, in units of a divisor', (api) =>
    prints(api, 'echo "$CPU $MEMORY $REQUEST"', '1 64 250\n', {
      main: {
        resources: { requests: { cpu: '250m' }, limits: { cpu: '500m', memory: '64Mi' } },
        env: [
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          { name: 'REQUEST', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
        ],
      },
    }),
  ),
  env('Variables name the Services of the namespace', async (api) => {
    const { body } = await api
      .raw('POST', '/api/v1/namespaces/$namespace/services', {
        body: { apiVersion: 'v1', kind: 'Service', ...named('my-db'), spec: { ports: [{ port: 5432 }] } },
      })
      .answers(201);
    const ip = (body as { readonly spec: { readonly clusterIP: string } }).spec.clusterIP;
    await prints(
      api,
      'echo "$MY_DB_SERVICE_HOST $MY_DB_SERVICE_PORT $MY_DB_PORT"; test "$KUBERNETES_SERVICE_HOST" && echo yes',
      `${ip} 5432 tcp://${ip}:5432\nyes\n`,
    );
  }),
  env('enableServiceLinks: false leaves only the API', async (api) => {
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/services', {
        body: { apiVersion: 'v1', kind: 'Service', ...named('db'), spec: { ports: [{ port: 5432 }] } },
      })
      .answers(201);
    await prints(api, 'echo "[$DB_SERVICE_HOST]"; test "$KUBERNETES_SERVICE_HOST" && echo yes', '[]\nyes\n', {
      spec: { enableServiceLinks: false },
    });
  }),
  from('opencontainers/runc@v1.4.0 libcontainer/init_linux.go setupUser', 'a node')(
    'A container knows the home directory of its user',
    (api) => prints(api, 'echo "$HOME"', '/root\n'),
  ),
  env('printenv prints the variables of a container', (api) =>
    prints(api, 'printenv A', 'x\n', { main: { env: [{ name: 'A', value: 'x' }] } }),
  ),
  configMap('A ConfigMap is a directory of files', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { one: 'first', two: 'second' } });
    await prints(api, 'ls /v; cat /v/one', 'one\ntwo\nfirst', volume('v', { configMap: { name: 'c' } }));
  }),
  configMap('items choose keys and paths', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { one: 'first', two: 'second' } });
    const items = [{ key: 'two', path: 'deep/file' }];
    await prints(
      api,
      'ls /v; cat /v/deep/file',
      'deep\nsecond',
      volume('v', { configMap: { name: 'c', items } }),
    );
  }),
  configMap('A Secret is a directory of decoded files', async (api) => {
    await api.made(secrets, { ...named('s'), stringData: { key: 'hidden' } });
    await prints(api, 'cat /v/key', 'hidden', volume('v', { secret: { secretName: 's' } }));
  }),
  configMap('A pod waits for the ConfigMap of a volume', async (api) => {
    await api.made(pods, script('a', 'cat /v/k', volume('v', { configMap: { name: 'late' } })));
    await api.events('a').becomes({
      items: has({
        type: 'Warning',
        reason: 'FailedMount',
        message: 'MountVolume.SetUp failed for volume "v" : configmap "late" not found',
      }),
    });
    await api.get(pods, 'a').answers(200, {
      status: {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    });
    await api.made(configMaps, { ...named('late'), data: { k: 'now' } });
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED, seconds: 400 });
    await api.logs('a').answers(200, 'now');
  }),
  configMap('An optional volume may be empty', (api) =>
    prints(api, 'ls /v; echo empty', 'empty\n', volume('v', { configMap: { name: 'none', optional: true } })),
  ),
  configMap('A file follows its ConfigMap', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { k: 'old' } });
    const text = 'while test "$(cat /v/k)" = old; do sleep 1; done; cat /v/k';
    await api.made(pods, script('a', text, volume('v', { configMap: { name: 'c' } })));
    await api.get(pods, 'a').becomes({ status: { phase: 'Running' } }, { never: FAILED });
    await api.patch(configMaps, 'c', 'merge', { data: { k: 'new' } }).answers(200);
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } }, { never: FAILED, seconds: 400 });
    await api.logs('a').answers(200, 'new');
  }),
  projected('A projected volume joins several sources', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { one: '1' } });
    await api.made(secrets, { ...named('s'), stringData: { two: '2' } });
    const sources = [
      { configMap: { name: 'c' } },
      { secret: { name: 's' } },
      { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ];
    await prints(api, 'ls /v; cat /v/labels', 'labels\none\ntwo\napp="x"', {
      ...volume('v', { projected: { sources } }),
      labels: { app: 'x' },
    });
  }),
  from('kubernetes/kubernetes@v1.36.3 pkg/volume/downwardapi/downwardapi.go CollectData', 'a node')(
    'The downward API writes annotations to a file',
    (api) =>
      prints(api, 'cat /v/notes', /(^|\n)team="shop"(\n|$)/, {
        ...volume('v', {
          downwardAPI: { items: [{ path: 'notes', fieldRef: { fieldPath: 'metadata.annotations' } }] },
        }),
        metadata: { annotations: { team: 'shop' } },
      }),
  ),
  from(`${kubelet}token/token_manager.go Manager.GetServiceAccountToken`, 'a node')(
    'A projected token of the account is a JWT',
    (api) =>
      prints(api, 'cat /v/token', /^[\w-]+\.[\w-]+\.[\w-]+$/, {
        main: { volumeMounts: [{ name: 'v', mountPath: '/v' }] },
        spec: {
          serviceAccountName: 'default',
          volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
        },
      }),
  ),
  mounts('An emptyDir is shared by the containers, and outlives them', async (api) => {
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const text = 'if [ -f /v/seen ]; then cat /v/seen; exit 0; fi; echo kept > /v/seen; exit 1';
    await prints(api, text, 'kept\n', {
      main: { volumeMounts },
      spec: { volumes: [{ name: 'v', emptyDir: {} }], restartPolicy: 'OnFailure' },
    });
  }),
  mounts('A read-only mount cannot be written', (api) =>
    prints(api, 'echo x > /v/file || echo refused', /refused\n$/, {
      main: { volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }] },
      spec: { volumes: [{ name: 'v', emptyDir: {} }] },
    }),
  ),
  mounts('A subPath mounts one file', async (api) => {
    await api.made(configMaps, { ...named('c'), data: { one: 'first', two: 'second' } });
    await prints(api, 'cat /etc/one', 'first', {
      main: { volumeMounts: [{ name: 'v', mountPath: '/etc/one', subPath: 'one' }] },
      spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
    });
  }),
  hosts('The hostname of a container is the name of its pod', (api) => prints(api, 'hostname', 'a\n')),
  hosts('/etc/hosts has the pod and its aliases', (api) =>
    prints(
      api,
      'cat /etc/hosts',
      /^# Kubernetes-managed hosts file\.\n127\.0\.0\.1\tlocalhost\n[\s\S]*\n[\d.]+\tdb-0\.web\.parity-\w+\.svc\.cluster\.local\tdb-0\n\n# Entries added by HostAliases\.\n192\.0\.2\.9\tfoo\tbar\n$/,
      {
        spec: {
          hostname: 'db-0',
          subdomain: 'web',
          hostAliases: [{ ip: '192.0.2.9', hostnames: ['foo', 'bar'] }],
        },
      },
    ),
  ),
);
