import { pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { has, present, valueAt } from '../expectation.ts';
import { pod, script, server, shell } from './manifests.ts';

const kubelet = 'kubernetes/kubernetes@v1.36.3 pkg/kubelet/';
const status = from(`${kubelet}kubelet_pods.go Kubelet.convertToAPIContainerStatuses`, 'a node');
const kill = from(
  `${kubelet}kuberuntime/kuberuntime_container.go kubeGenericRuntimeManager.killContainer`,
  'a node',
);
const start = from(
  `${kubelet}kuberuntime/kuberuntime_container.go kubeGenericRuntimeManager.startContainer`,
  'a node',
);
const deadline = from(`${kubelet}active_deadline.go activeDeadlineHandler.ShouldEvict`, 'a node');
const message = from(`${kubelet}kuberuntime/kuberuntime_container.go getTerminationMessage`, 'a node');

const FAILED = { status: { phase: 'Failed' } };
const ready = (expected: string) => has({ type: 'Ready', status: expected });
/** A container that waits for SIGTERM, and ends at once when it comes. */
const PATIENT = "trap 'exit 0' TERM; while true; do sleep 1; done";

/** Starting and stopping the containers of a pod, and the details of its status. */
export const lifecycle = area(
  'Lifecycle',
  kill('A container that ignores SIGTERM is killed after the grace period', async (api) => {
    const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
    await api.made(
      pods,
      script('a', "trap '' TERM; while true; do sleep 1; done", {
        main: { livenessProbe },
        spec: { terminationGracePeriodSeconds: 2 },
      }),
    );
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'Error' } } }],
      },
    });
  }),
  kill('A deleted pod stops within its grace period, and is gone then', async (api) => {
    await api.made(pods, script('a', PATIENT, { spec: { terminationGracePeriodSeconds: 600 } }));
    await api.get(pods, 'a').becomes({ status: { phase: 'Running' } });
    await api.delete(pods, 'a').answers(200, { metadata: { deletionGracePeriodSeconds: 600 } });
    await api.get(pods, 'a').goes();
    await api
      .events('a')
      .becomes({ items: has({ type: 'Normal', reason: 'Killing', message: 'Stopping container main' }) });
  }),
  kill('preStop runs before SIGTERM', async (api) => {
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'echo hook > /v/log'] } } };
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const livenessProbe = {
      exec: { command: ['false'] },
      periodSeconds: 1,
      failureThreshold: 1,
      initialDelaySeconds: 1,
    };
    const text = "trap 'cat /v/log; exit 5' TERM; while true; do sleep 1; done";
    await api.made(
      pods,
      script('a', text, {
        main: { lifecycle, volumeMounts, livenessProbe },
        spec: { volumes: [{ name: 'v', emptyDir: {} }], terminationGracePeriodSeconds: 30 },
      }),
    );
    await api.get(pods, 'a').becomes({
      status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 5 } } }] },
    });
    await api.logs('a').answers(200, 'hook\n');
  }),
  start('A failed postStart hook kills its container', async (api) => {
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'exit 9'] } } };
    const text = "trap 'exit 1' TERM; while true; do sleep 1; done";
    await api.made(pods, script('a', text, { main: { lifecycle } }));
    await api.get(pods, 'a').becomes(FAILED, { never: { status: { phase: 'Succeeded' } } });
    await api.events('a').becomes({ items: has({ type: 'Warning', reason: 'FailedPostStartHook' }) });
  }),
  start('A command that does not exist is a StartError', async (api) => {
    await api.made(pods, script('a', '', { main: { command: ['/no-such-program'] } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Failed',
          containerStatuses: [
            { state: { terminated: { reason: 'StartError', exitCode: 128, message: /no-such-program/ } } },
          ],
        },
      },
      { never: { status: { phase: 'Succeeded' } } },
    );
  }),
  start('Events report each step of a start', async (api) => {
    await api.made(pods, pod('a'));
    const fieldPath = 'spec.containers{main}';
    await api.events('a').becomes({
      items: has(
        {
          type: 'Normal',
          reason: 'Created',
          message: 'Container created',
          involvedObject: { kind: 'Pod', fieldPath },
        },
        {
          type: 'Normal',
          reason: 'Started',
          message: 'Container started',
          source: { component: 'kubelet', host: present },
        },
      ),
    });
  }),
  deadline('A pod past its deadline fails', async (api) => {
    await api.made(pods, pod('a', { spec: { activeDeadlineSeconds: 3 } }));
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      },
    });
    await api.events('a').becomes({ items: has({ type: 'Normal', reason: 'DeadlineExceeded' }) });
  }),
  message('A container reports its last words', async (api) => {
    await api.made(pods, script('a', 'echo it broke > /dev/termination-log; exit 1'));
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { message: 'it broke\n' } } }],
      },
    });
  }),
  message('The end of the log serves as last words', async (api) => {
    await api.made(
      pods,
      script('a', 'echo first; echo last; exit 1', {
        main: { terminationMessagePolicy: 'FallbackToLogsOnError' },
      }),
    );
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { message: 'first\nlast\n' } } }],
      },
    });
  }),
  status('A readiness gate keeps a pod from being ready', async (api) => {
    await api.made(pods, pod('a', { spec: { readinessGates: [{ conditionType: 'example.com/open' }] } }));
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Running',
        conditions: has(
          { type: 'ContainersReady', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' },
        ),
      },
    });
    const conditions = [{ type: 'example.com/open', status: 'True' }];
    await api.patch(pods, 'a/status', 'strategic', { status: { conditions } }).answers(200);
    await api.get(pods, 'a').becomes({ status: { conditions: ready('True') } });
  }),
  status('A pod in the network of its node has the address of the node', async (api) => {
    await api.made(pods, pod('a', { spec: { hostNetwork: true } }));
    const { body } = await api.get(pods, 'a').becomes({ status: { phase: 'Running', podIP: present } });
    api.expect('the address', valueAt(body, 'status.podIP'), valueAt(body, 'status.hostIP'));
  }),
  status('An ephemeral container runs beside the others', async (api) => {
    await api.made(pods, server('a'));
    await api.get(pods, 'a').becomes({ status: { phase: 'Running' } });
    const debug = { name: 'debug', ...shell('wget -q -O - http://127.0.0.1; echo seen') };
    await api
      .patch(pods, 'a/ephemeralcontainers', 'strategic', { spec: { ephemeralContainers: [debug] } })
      .answers(200);
    await api.get(pods, 'a').becomes({
      status: {
        phase: 'Running',
        ephemeralContainerStatuses: [{ name: 'debug', state: { terminated: { exitCode: 0 } } }],
      },
    });
    await api.logs('a', { container: 'debug' }).answers(200, /nginx[\s\S]*seen/);
  }),
  status('A pod reports the generation that its kubelet has seen', async (api) => {
    await api.made(pods, pod('a'));
    await api
      .get(pods, 'a')
      .becomes({ metadata: { generation: 1 }, status: { phase: 'Running', observedGeneration: 1 } });
    await api
      .patch(pods, 'a', 'merge', { spec: { activeDeadlineSeconds: 3_600 } })
      .answers(200, { metadata: { generation: 2 } });
    await api.get(pods, 'a').becomes({ status: { observedGeneration: 2 } });
  }),
);
