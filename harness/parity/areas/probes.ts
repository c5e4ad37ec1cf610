import { pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { between, has, valueAt } from '../expectation.ts';
import { NGINX, pod, script, server, shell } from './manifests.ts';

const worker = from('kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe', 'a node');
const prober = from('kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.probe', 'a node');
const ready = from(
  'kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GenerateContainersReadyCondition',
  'a node',
);

const FOREVER = 'while true; do sleep 1; done';
const exec = (text: string) => ({ exec: { command: ['sh', '-c', text] } });
const each = { periodSeconds: 1, failureThreshold: 1 };
const condition = (status: string, more: object = {}) => ({
  status: { conditions: has({ type: 'Ready', status, ...more }) },
});

/** Returns the conditions of a pod. */
function conditionsOf(
  pod: unknown,
): readonly { readonly type: string; readonly lastTransitionTime: string }[] {
  return valueAt(pod, 'status.conditions') as ReturnType<typeof conditionsOf>;
}

/** Handlers that fail for a container without a server, and the beginning of the message of their event. */
const FAILING: readonly (readonly [name: string, handler: object, message: RegExp])[] = [
  ['A command', exec('echo broken; exit 1'), /^Readiness probe failed: broken\n?$/],
  [
    'A request',
    { httpGet: { path: '/', port: 80 } },
    /^Readiness probe failed: Get "http:\/\/[\d.]+:80\/": dial tcp [\d.]+:80: connect: connection refused/,
  ],
  [
    'A connection',
    { tcpSocket: { port: 80 } },
    /^Readiness probe failed: dial tcp [\d.]+:80: connect: connection refused/,
  ],
];

/** Probes. */
export const probing = area(
  'Probes',
  worker('A container is ready when its readiness probe succeeds', async (api) => {
    const text = 'touch /tmp/open; while true; do sleep 1; done';
    await api.made(
      pods,
      script('a', text, { main: { readinessProbe: { ...exec('test -f /tmp/open'), ...each } } }),
    );
    await api.get(pods, 'a').becomes(condition('True'));
  }),
  ready('A pod whose container is not ready is not ready', async (api) => {
    await api.made(pods, script('a', FOREVER, { main: { readinessProbe: { ...exec('false'), ...each } } }));
    await api.get(pods, 'a').becomes({
      ...condition('False', {
        reason: 'ContainersNotReady',
        message: 'containers with unready status: [main]',
      }),
    });
    await api.get(pods, 'a').becomes({
      status: { phase: 'Running', containerStatuses: [{ ready: false, started: true, restartCount: 0 }] },
    });
  }),
  FAILING.map(([name, handler, message]) =>
    prober(`${name} that fails is reported as an event`, async (api) => {
      await api.made(pods, script('a', FOREVER, { main: { readinessProbe: { ...handler, ...each } } }));
      await api.events('a').becomes({ items: has({ type: 'Warning', reason: 'Unhealthy', message }) });
      await api.get(pods, 'a').answers(200, condition('False'));
    }),
  ),
  prober('A request with an error status fails', async (api) => {
    const readinessProbe = { httpGet: { path: '/none', port: 80 }, ...each };
    await api.made(pods, server('a', { main: { readinessProbe } }));
    await api.events('a').becomes({
      items: has({
        reason: 'Unhealthy',
        message: /^Readiness probe failed: HTTP probe failed with statuscode: 404/,
      }),
    });
  }),
  prober('A request to a named port succeeds', async (api) => {
    const readinessProbe = { httpGet: { path: '/', port: 'http' }, ...each };
    await api.made(pods, server('a', { main: { readinessProbe } }));
    await api.get(pods, 'a').becomes(condition('True'));
  }),
  prober('A connection succeeds', async (api) => {
    await api.made(
      pods,
      pod('a', { main: { image: NGINX, readinessProbe: { tcpSocket: { port: 80 }, ...each } } }),
    );
    await api.get(pods, 'a').becomes(condition('True'));
  }),
  worker('A container becomes unready again, and is not restarted', async (api) => {
    const text = 'touch /tmp/open; sleep 20; rm /tmp/open; while true; do sleep 1; done';
    await api.made(
      pods,
      script('a', text, { main: { readinessProbe: { ...exec('test -f /tmp/open'), ...each } } }),
    );
    await api.get(pods, 'a').becomes(condition('True'));
    await api.get(pods, 'a').becomes(condition('False'));
    await api.get(pods, 'a').answers(200, { status: { containerStatuses: [{ restartCount: 0 }] } });
  }),
  worker('A failed liveness probe restarts a container', async (api) => {
    const main = { ...shell(FOREVER), livenessProbe: { ...exec('false'), ...each } };
    await api.made(pods, pod('a', { main, spec: { terminationGracePeriodSeconds: 0 } }));
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Running',
        containerStatuses: [{ restartCount: between(1, 9), lastState: { terminated: { exitCode: 137 } } }],
      },
    });
    await api.events('a').becomes({
      items: has(
        { type: 'Warning', reason: 'Unhealthy', message: /^Liveness probe failed: / },
        {
          type: 'Normal',
          reason: 'Killing',
          message: 'Container main failed liveness probe, will be restarted',
        },
      ),
    });
  }),
  worker('failureThreshold failures in a row restart a container', async (api) => {
    // The third probe succeeds, so the restart follows the sixth. From then on all succeed.
    const three = '$(echo x; echo x; echo x)';
    const probe = `echo x >> /v/tries; test -f /v/again || test "$(cat /v/tries)" = "${three}"`;
    const main = {
      ...shell(`if [ -f /v/tries ]; then cat /v/tries; touch /v/again; fi; ${FOREVER}`),
      livenessProbe: { ...exec(probe), periodSeconds: 1, failureThreshold: 3 },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    };
    await api.made(pods, pod('a', { main, spec: { volumes: [{ name: 'v', emptyDir: {} }] } }));
    await api.get(pods, 'a').becomes({ status: { containerStatuses: [{ restartCount: 1 }] } });
    await api.logs('a').becomes('x\n'.repeat(6));
  }),
  worker('Until its startup probe succeeds, a container has not started', async (api) => {
    const main = {
      ...shell('sleep 20; touch /tmp/up; while true; do sleep 1; done'),
      startupProbe: { ...exec('test -f /tmp/up'), periodSeconds: 1, failureThreshold: 60 },
      livenessProbe: { ...exec('test -f /tmp/up'), ...each },
    };
    await api.made(pods, pod('a', { main }));
    await api
      .get(pods, 'a')
      .becomes({ status: { phase: 'Running', containerStatuses: [{ started: false, ready: false }] } });
    await api
      .get(pods, 'a')
      .becomes(
        { status: { containerStatuses: [{ started: true, ready: true, restartCount: 0 }] } },
        { never: { status: { containerStatuses: [{ restartCount: between(1, 99) }] } } },
      );
  }),
  worker('A startup probe that never succeeds restarts its container', async (api) => {
    const main = {
      ...shell(FOREVER),
      startupProbe: { ...exec('false'), periodSeconds: 1, failureThreshold: 2 },
    };
    await api.made(pods, pod('a', { main, spec: { terminationGracePeriodSeconds: 0 } }));
    await api
      .get(pods, 'a')
      .becomes({ status: { containerStatuses: [{ restartCount: between(1, 9), started: false }] } });
    await api.events('a').becomes({
      items: has({ reason: 'Killing', message: 'Container main failed startup probe, will be restarted' }),
    });
  }),
  worker('initialDelaySeconds delays the first probe', async (api) => {
    const readinessProbe = { ...exec('true'), ...each, initialDelaySeconds: 8 };
    await api.made(pods, script('a', FOREVER, { main: { readinessProbe } }));
    const { body } = await api.get(pods, 'a').becomes(condition('True'));
    const at = Object.fromEntries(
      conditionsOf(body).map(({ type, lastTransitionTime }) => [type, Date.parse(lastTransitionTime)]),
    );
    const startedAt = String(valueAt(body, 'status.containerStatuses.0.state.running.startedAt'));
    // Both times are cut to seconds.
    const seconds = ((at.Ready ?? 0) - Date.parse(startedAt)) / 1_000;
    api.expect('the seconds from the start to readiness', seconds, between(7, 60));
  }),
  ready('All containers must be ready', async (api) => {
    const containers = [
      { name: 'good', ...shell(FOREVER) },
      { name: 'bad', ...shell(FOREVER), readinessProbe: { ...exec('false'), ...each } },
    ];
    await api.made(pods, pod('a', { spec: { containers } }));
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Running',
        containerStatuses: has({ name: 'good', ready: true }, { name: 'bad', ready: false }),
        conditions: has({ type: 'Ready', status: 'False', message: 'containers with unready status: [bad]' }),
      },
    });
  }),
);
