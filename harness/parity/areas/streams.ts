import { pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import type { Session } from '../session.ts';
import { pod, script, shell } from './manifests.ts';

const logs = from('kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go LogLocation', 'a node');
const readLogs = from('kubernetes/cri-client@v0.36.3 pkg/logs/logs.go ReadLogs', 'a node');
const options = from(
  'kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodLogOptions',
);
const exec = from(
  'kubernetes/cri-streaming@v0.36.3 pkg/streaming/remotecommand/exec.go ServeExec',
  'a node',
  'streams',
);

const FOREVER = 'while true; do sleep 1; done';

/** Runs a script in a pod to its end. */
async function ended(api: Session, text: string, parts: Parameters<typeof script>[2] = {}): Promise<void> {
  await api.made(pods, script('a', text, parts));
  await api.get(pods, 'a').becomes({ status: { phase: /^(Succeeded|Failed)$/ } });
}

async function runs(api: Session): Promise<void> {
  await api.made(pods, script('a', FOREVER));
  await api.get(pods, 'a').becomes({ status: { phase: 'Running' } });
}

/** Logs of containers, and commands in them. */
export const streaming = area(
  'Logs and exec',
  logs('The log has the output and the errors of a container', async (api) => {
    await ended(api, 'echo one; echo two >&2');
    await api.logs('a').answers(200, 'one\ntwo\n');
  }),
  readLogs('tailLines returns the last lines', async (api) => {
    await ended(api, 'echo one; echo two; echo three');
    await api.logs('a', { tailLines: 2 }).answers(200, 'two\nthree\n');
    await api.logs('a', { tailLines: 0 }).answers(200, '');
  }),
  readLogs('limitBytes cuts the log', async (api) => {
    await ended(api, 'echo one; echo two');
    await api.logs('a', { limitBytes: 5 }).answers(200, 'one\nt');
  }),
  readLogs('timestamps precede each line', async (api) => {
    await ended(api, 'echo one');
    await api
      .logs('a', { timestamps: true })
      .answers(200, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d) one\n$/);
  }),
  logs('previous returns the log of the container before', async (api) => {
    const spec = { volumes: [{ name: 'v', emptyDir: {} }], restartPolicy: 'OnFailure' };
    const text = `if [ -f /v/seen ]; then echo second; ${FOREVER}; fi; touch /v/seen; echo first; exit 1`;
    await api.made(
      pods,
      script('a', text, { main: { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, spec }),
    );
    await api.logs('a').becomes('second\n');
    await api.logs('a', { previous: true }).answers(200, 'first\n');
  }),
  logs('Without a restart there is no previous log', async (api) => {
    await ended(api, 'echo one');
    await api
      .logs('a', { previous: true })
      .refused(400, /^previous terminated container "main" in pod "a" not found$/);
  }),
  logs('A pod with several containers needs the name of one', async (api) => {
    const containers = ['x', 'y'].map((name) => ({ name, ...shell(`echo ${name}`) }));
    await api.made(pods, pod('a', { spec: { restartPolicy: 'Never', containers } }));
    await api.get(pods, 'a').becomes({ status: { phase: 'Succeeded' } });
    await api.logs('a').refused(400, 'a container name must be specified for pod a, choose one of: [x y]', {
      reason: 'BadRequest',
    });
    await api.logs('a', { container: 'y' }).answers(200, 'y\n');
    await api.logs('a', { container: 'z' }).refused(400, 'container z is not valid for pod a');
  }),
  from('kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go LogLocation')(
    'A pod without a node has an empty log',
    async (api) => {
      await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
      await api.logs('a').answers(200, '');
    },
  ),
  options('A negative number of lines is invalid', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    await api
      .logs('a', { tailLines: -1 })
      .refused(
        422,
        'PodLogOptions "a" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
      );
  }),
  exec('A command runs in a container', async (api) => {
    await runs(api);
    await api.exec('a', ['sh', '-c', 'echo out; echo err >&2'], {
      stdout: 'out\n',
      stderr: 'err\n',
      code: 0,
    });
  }),
  exec('The exit code of a command is reported', async (api) => {
    await runs(api);
    await api.exec('a', ['sh', '-c', 'exit 7'], { code: 7 });
  }),
);
