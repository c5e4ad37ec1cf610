import { at, type Field, inItem, type PathStep, type Values, type Writers } from './fields.ts';

const POD: readonly PathStep[] = ['spec', 'template', 'spec'];
const MAIN: readonly PathStep[] = [...POD, 'containers', { item: { name: 'main' } }];

const env = (name: string, values: Values, by?: Writers): Field =>
  inItem([...MAIN, 'env'], { name }, values, by);
const port = (containerPort: number, values: Values, by?: Writers): Field =>
  inItem([...MAIN, 'ports'], { containerPort }, values, by);
const volume = (name: string, values: Values, by?: Writers): Field =>
  inItem([...POD, 'volumes'], { name }, values, by);

/** Fields of a Deployment. */
export const deploymentFields: Readonly<Record<string, Field>> = {
  replicas: at(['spec', 'replicas'], [1, 3, 0, null]),
  'min ready': at(['spec', 'minReadySeconds'], [5, 0]),
  history: at(['spec', 'revisionHistoryLimit'], [3]),
  strategy: at(
    ['spec', 'strategy'],
    [
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 1 } },
    ],
    'switches',
  ),
  image: at([...MAIN, 'image'], ['nginx:1.27', 'nginx:1.28']),
  args: at([...MAIN, 'args'], [['-v'], ['-v', '-q'], ['-q', '-v'], []]),
  mode: env('MODE', [
    { value: 'a' },
    { value: 'b' },
    { valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
    { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ]),
  level: env('LEVEL', [{ value: '1' }, { value: '<1>' }, {}]),
  'port 80': port(80, [{ name: 'http' }, { name: 'web', protocol: 'TCP' }]),
  'port 443': port(443, [{ name: 'https' }, {}]),
  cpu: at([...MAIN, 'resources', 'requests', 'cpu'], ['1', '1000m', '250m']),
  memory: at([...MAIN, 'resources', 'limits', 'memory'], ['1Gi', '512Mi']),
  'data mount': inItem([...MAIN, 'volumeMounts'], { mountPath: '/data' }, [
    { name: 'base' },
    { name: 'base', readOnly: true },
  ]),
  'log mount': inItem([...MAIN, 'volumeMounts'], { mountPath: '/log' }, [{ name: 'base', subPath: 'log' }]),
  side: inItem([...POD, 'containers'], { name: 'side' }, [
    { image: 'busybox:1' },
    { image: 'busybox:2', args: ['x'], env: [{ name: 'A', value: '1' }] },
  ]),
  init: inItem([...POD, 'initContainers'], { name: 'init' }, [
    { image: 'busybox:1' },
    { image: 'busybox:2' },
  ]),
  volume: volume(
    'data',
    [
      { emptyDir: {} },
      { configMap: { name: 'c' } },
      { emptyDir: { medium: 'Memory' } },
      { secret: { secretName: 's' } },
    ],
    'switches',
  ),
  tolerations: at(
    [...POD, 'tolerations'],
    [
      [{ key: 'a', operator: 'Exists' }],
      [
        { key: 'b', operator: 'Exists' },
        { key: 'a', operator: 'Equal', value: 'x' },
      ],
      [],
    ],
  ),
  'pull one': inItem([...POD, 'imagePullSecrets'], { name: 'one' }, [{}]),
  'pull two': inItem([...POD, 'imagePullSecrets'], { name: 'two' }, [{}]),
  alias: inItem([...POD, 'hostAliases'], { ip: '192.0.2.1' }, [
    { hostnames: ['a'] },
    { hostnames: ['b', 'a'] },
  ]),
  disk: at([...POD, 'nodeSelector', 'disk'], ['ssd', 'hdd']),
  zone: at([...POD, 'nodeSelector', 'zone'], ['a']),
  security: at([...POD, 'securityContext'], [{}, { runAsUser: 1000 }, { runAsUser: 1000, fsGroup: 5 }]),
  'template note': at(['spec', 'template', 'metadata', 'annotations', 'note'], ['one', 'two']),
  // Level 9: the type of a strategy and the source of a volume come from the server, and must go with the old choice.
  'strategy type': at(['spec', 'strategy'], [{ type: 'RollingUpdate' }, { type: 'Recreate' }], 'optional'),
  'bare volume': volume(
    'bare',
    [{}, { configMap: { name: 'c' } }, { secret: { secretName: 's' } }],
    'optional',
  ),
  'foreign container': inItem([...POD, 'containers'], { name: 'injected' }, [{ image: 'proxy:1' }], 'others'),
  'foreign env': env('INJECTED', [{ value: 'x' }], 'others'),
  'foreign port': port(9100, [{ name: 'metrics' }], 'others'),
  'foreign volume': volume('token', [{ emptyDir: {} }], 'others'),
  'foreign selector': at([...POD, 'nodeSelector', 'added'], ['yes'], 'others'),
  'foreign limit': at([...MAIN, 'resources', 'limits', 'cpu'], ['2'], 'others'),
  'foreign grace': at([...POD, 'terminationGracePeriodSeconds'], [5, 60], 'others'),
  'foreign pull secret': inItem([...POD, 'imagePullSecrets'], { name: 'added' }, [{}], 'others'),
  'foreign note': at(['spec', 'template', 'metadata', 'annotations', 'added'], ['yes'], 'others'),
};
