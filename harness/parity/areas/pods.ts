import { pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { between, has, present, valueAt } from '../expectation.ts';
import { pod, script, shell } from './manifests.ts';

const kubelet = 'kubernetes/kubernetes@v1.36.3 pkg/kubelet/';
const phase = from(`${kubelet}kubelet_pods.go getPhase`, 'a node');
const conditions = from(`${kubelet}status/generate.go GeneratePodReadyCondition`, 'a node');
const restarts = from(`${kubelet}container/helpers.go ShouldContainerBeRestarted`, 'a node');
const backoff = from(
  `${kubelet}kuberuntime/kuberuntime_manager.go kubeGenericRuntimeManager.doBackOff`,
  'a node',
);
const init = from(
  `${kubelet}kuberuntime/kuberuntime_container.go kubeGenericRuntimeManager.computeInitContainerActions`,
  'a node',
);

/** A pod that has succeeded or failed reports nothing new. */
const ENDED = { status: { phase: /^(Succeeded|Failed)$/ } };
const FAILED = { status: { phase: 'Failed' } };
const main = (expected: object) => ({ status: { containerStatuses: [expected] } });
/** A container that waits for SIGTERM, and ends at once when it comes. */
const PATIENT = "trap 'exit 0' TERM; while true; do sleep 1; done";

/** Running the containers of a pod, and reporting their status. */
export const running = area(
  'Pods',
  phase('A pod runs, with addresses and the times of its containers', async (api) => {
    await api.made(pods, pod('a'));
    await api.get(pods, 'a').becomes({
      spec: { nodeName: present },
      status: {
        phase: 'Running',
        podIP: /^[\d.]+$|:/,
        podIPs: has({ ip: present }),
        hostIP: present,
        startTime: present,
        qosClass: 'BestEffort',
        containerStatuses: [
          {
            name: 'main',
            ready: true,
            started: true,
            restartCount: 0,
            image: /pause/,
            imageID: present,
            containerID: /^\w[\w-]*:\/\/[0-9a-f]{64}$/,
            state: { running: { startedAt: present } },
            lastState: {},
          },
        ],
      },
    });
  }),
  conditions('A running pod has all conditions', async (api) => {
    await api.made(pods, pod('a'));
    const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
    await api.get(pods, 'a').becomes({
      status: {
        conditions: has(...types.map((type) => ({ type, status: 'True', lastTransitionTime: present }))),
      },
    });
  }),
  phase('A pod whose container exits with 0 succeeds', async (api) => {
    await api.made(pods, script('a', 'exit 0'));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Succeeded',
          conditions: has({ type: 'Ready', status: 'False', reason: 'PodCompleted' }),
          containerStatuses: [
            { ready: false, started: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          ],
        },
      },
      { never: FAILED },
    );
  }),
  phase('A pod whose container exits with 3 fails', async (api) => {
    await api.made(pods, script('a', 'exit 3'));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Failed',
          conditions: has({ type: 'Ready', status: 'False', reason: 'PodFailed' }),
          containerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 3, reason: 'Error' } } }],
        },
      },
      { never: { status: { phase: 'Succeeded' } } },
    );
  }),
  phase('A pod fails when one container has failed and all have ended', async (api) => {
    const containers = [
      { name: 'good', ...shell('exit 0') },
      { name: 'bad', ...shell('sleep 3; exit 1') },
    ];
    await api.made(pods, pod('a', { spec: { restartPolicy: 'Never', containers } }));
    await api.get(pods, 'a').becomes(FAILED, { never: { status: { phase: 'Succeeded' } } });
  }),
  restarts('OnFailure restarts a container until it succeeds', async (api) => {
    const once = { volumes: [{ name: 'v', emptyDir: {} }], restartPolicy: 'OnFailure' };
    const text = 'if [ -f /v/seen ]; then exit 0; fi; touch /v/seen; exit 1';
    await api.made(
      pods,
      script('a', text, { main: { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, spec: once }),
    );
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Succeeded',
          containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 1 } } }],
        },
      },
      { never: FAILED },
    );
  }),
  restarts('Always restarts a container that succeeds', async (api) => {
    await api.made(pods, script('a', 'exit 0', { spec: { restartPolicy: 'Always' } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              restartCount: between(1, 9),
              lastState: { terminated: { exitCode: 0, reason: 'Completed' } },
            },
          ],
        },
      },
      { never: ENDED },
    );
  }),
  backoff('A container that fails again and again waits for its restart', async (api) => {
    await api.made(pods, script('a', 'exit 1', { spec: { restartPolicy: 'Always' } }));
    await api.get(pods, 'a').becomes(
      main({
        ready: false,
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message: new RegExp(
              `^back-off (10|20|40)s restarting failed container=main pod=a_${api.namespace}\\(.*\\)$`,
            ),
          },
        },
        lastState: { terminated: { exitCode: 1 } },
      }),
      { never: ENDED },
    );
    await api.events('a').becomes({
      items: has({
        type: 'Warning',
        reason: 'BackOff',
        message: new RegExp(`^Back-off restarting failed container main in pod a_${api.namespace}\\(`),
      }),
    });
  }),
  from(`${kubelet}container/helpers.go ShouldContainerBeRestarted`, 'a node')(
    'A restart rule restarts a container with its exit code',
    async (api) => {
      const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
      const mount = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
      const text = 'if [ -f /v/seen ]; then exit 7; fi; touch /v/seen; exit 42';
      await api.made(
        pods,
        script('a', text, {
          main: { ...mount, restartPolicy: 'Never', restartPolicyRules },
          spec: { volumes: [{ name: 'v', emptyDir: {} }] },
        }),
      );
      await api.get(pods, 'a').becomes(
        {
          status: {
            phase: 'Failed',
            containerStatuses: [
              {
                restartCount: 1,
                state: { terminated: { exitCode: 7 } },
                lastState: { terminated: { exitCode: 42 } },
              },
            ],
          },
        },
        { never: { status: { phase: 'Failed', containerStatuses: [{ restartCount: 0 }] } } },
      );
    },
  ),
  init('Init containers run one after the other, before the containers', async (api) => {
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const initContainers = ['one', 'two'].map((name) => ({
      name,
      ...shell(`echo ${name} >> /v/log; sleep 1`),
      volumeMounts,
    }));
    const spec = { initContainers, volumes: [{ name: 'v', emptyDir: {} }] };
    await api.made(pods, script('a', 'cat /v/log', { main: { volumeMounts }, spec }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Succeeded',
          initContainerStatuses: [
            { name: 'one', ready: true, state: { terminated: { exitCode: 0 } } },
            { name: 'two', ready: true, state: { terminated: { exitCode: 0 } } },
          ],
        },
      },
      { never: FAILED },
    );
    await api.logs('a').answers(200, 'one\ntwo\n');
  }),
  init('While an init container runs, the pod is pending', async (api) => {
    const initContainers = [{ name: 'slow', ...shell(PATIENT) }];
    await api.made(pods, pod('a', { spec: { initContainers } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Pending',
          conditions: has({
            type: 'Initialized',
            status: 'False',
            reason: 'ContainersNotInitialized',
            message: 'containers with incomplete status: [slow]',
          }),
          initContainerStatuses: [{ state: { running: present } }],
          containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
        },
      },
      { never: { status: { phase: 'Running' } } },
    );
  }),
  init('A failed init container fails a pod that never restarts', async (api) => {
    const initContainers = [{ name: 'bad', ...shell('exit 4') }];
    await api.made(pods, script('a', 'exit 0', { spec: { initContainers } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Failed',
          initContainerStatuses: [{ state: { terminated: { exitCode: 4 } } }],
          containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } }, restartCount: 0 }],
        },
      },
      { never: { status: { phase: 'Succeeded' } } },
    );
  }),
  init('A failed init container is repeated otherwise', async (api) => {
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const text = 'if [ -f /v/seen ]; then exit 0; fi; touch /v/seen; exit 1';
    const initContainers = [{ name: 'flaky', ...shell(text), volumeMounts }];
    await api.made(pods, pod('a', { spec: { initContainers, volumes: [{ name: 'v', emptyDir: {} }] } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Running',
          initContainerStatuses: [{ restartCount: 1, state: { terminated: { exitCode: 0 } } }],
        },
      },
      { never: ENDED },
    );
  }),
  init('A sidecar starts before the containers, and ends after them', async (api) => {
    const initContainers = [{ name: 'side', ...shell(PATIENT), restartPolicy: 'Always' }];
    await api.made(pods, script('a', 'sleep 20', { spec: { initContainers } }));
    await api.get(pods, 'a').becomes(
      {
        status: {
          phase: 'Running',
          initContainerStatuses: [{ name: 'side', started: true, state: { running: present } }],
          containerStatuses: [{ state: { running: present } }],
        },
      },
      { never: ENDED },
    );
    const { body } = await api.get(pods, 'a').becomes(
      {
        status: { phase: 'Succeeded', initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }] },
      },
      { never: FAILED },
    );
    const ended = (of: string) => String(valueAt(body, `status.${of}.0.state.terminated.finishedAt`));
    api.expect(
      'that the sidecar ended last',
      ended('initContainerStatuses') >= ended('containerStatuses'),
      true,
    );
  }),
);
