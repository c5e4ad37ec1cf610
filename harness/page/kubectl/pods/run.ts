import { type KubeObject, keyOf, type New, type Pod } from '../../../api/objects.ts';
import { pods } from '../../../api/resource.ts';
import { type Call, type Command, INTERRUPTED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING } from '../targets.ts';
import { createOne, nameOf } from '../write/create.ts';
import { WRITING, writeOptions } from '../write/report.ts';
import { kubeletOf, streamsOf, TERMINAL } from './exec.ts';
import { logOf } from './logs.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/run/run.go RunOptions.Run */
export const run: Command = {
  name: 'run',
  usage: 'NAME --image=IMAGE [--port=P] [--restart=Never] [-it] [--rm] [-- ARGS…]',
  summary: 'Creates a pod; -it connects to its program, and --rm deletes it at the end',
  reads: false,
  flags: {
    ...WRITING,
    ...TERMINAL,
    namespace: SELECTING.namespace,
    image: { type: 'text', help: 'the image of the container' },
    port: { type: 'number', help: 'a port of the container' },
    env: { type: 'list', help: 'variables: NAME=VALUE' },
    labels: { short: 'l', type: 'list', help: 'labels: KEY=VALUE (run=NAME)' },
    restart: { type: 'text', help: 'Always, OnFailure or Never (Always)' },
    command: {
      type: 'switch',
      help: 'the words after -- replace the command of the image, not its arguments',
    },
    attach: { type: 'switch', help: 'print the output of the program' },
    rm: { type: 'switch', help: 'delete the pod at the end' },
  },
  run: async (call) => {
    const { flags } = call;
    const isAttached = flags.isOn('attach') || flags.isOn('stdin');
    if (flags.isOn('rm') && !isAttached)
      throw new KubectlError('--rm should only be used for attached containers');
    const sent = podOf(call);
    if (!isAttached) {
      await createOne(call, pods, sent, { manager: 'run' });
      return 0;
    }
    const metadata = { ...sent.metadata, namespace: call.namespace };
    const pod = await call.client.create(
      pods,
      { ...sent, metadata } as unknown as New<Pod>,
      writeOptions(call, 'run'),
    );
    const code = await attachTo(call, pod);
    if (!flags.isOn('rm')) return code;
    await call.client.delete(pods, keyOf(pod));
    call.io.out(`pod "${pod.metadata.name}" deleted from ${call.namespace} namespace\n`);
    return code;
  },
};

function podOf(call: Call): New<KubeObject> {
  const { flags, rest } = call;
  const name = nameOf(call);
  const image = flags.text('image');
  if (image === undefined) throw new KubectlError('--image is required');
  const restartPolicy = flags.text('restart') ?? 'Always';
  if (!['Always', 'OnFailure', 'Never'].includes(restartPolicy)) {
    throw new KubectlError(`invalid restart policy: ${restartPolicy}`);
  }
  const port = flags.number('port');
  const env = flags.list('env').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new KubectlError(`invalid env: ${text}`);
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
  const labels = Object.fromEntries(flags.list('labels').map((text) => text.split('=') as [string, string]));
  return {
    metadata: {
      name,
      labels: flags.has('labels') ? labels : { run: name },
      ...(flags.has('namespace') ? { namespace: call.namespace } : {}),
    },
    spec: {
      containers: [
        {
          ...(rest.length > 0 ? { [flags.isOn('command') ? 'command' : 'args']: [...rest] } : {}),
          ...(env.length > 0 ? { env } : {}),
          image,
          name,
          ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
          resources: {},
          ...(flags.isOn('stdin') ? { stdin: true, stdinOnce: true } : {}),
          ...(flags.isOn('tty') ? { tty: true } : {}),
        },
      ],
      dnsPolicy: 'ClusterFirst',
      restartPolicy,
    },
    status: {},
  } as New<KubeObject>;
}

const hasStarted = (pod: Pod | undefined): boolean =>
  pod === undefined || (pod.status.phase !== 'Pending' && pod.status.phase !== undefined);
const hasEnded = (pod: Pod | undefined): boolean =>
  pod === undefined || pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

/** Connects to the program of a pod until it ends. Returns its exit code. */
async function attachTo(call: Call, { metadata, spec }: Pod): Promise<number> {
  const { io, observer } = call;
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  const look = (): Pod | undefined => observer.now(pods, key);
  await observer.until(() => hasStarted(look()), io.signal);
  const started = look();
  if (io.signal.aborted) return INTERRUPTED;
  if (!started) throw new KubectlError(`pod ${key.namespace}/${key.name} was deleted`);
  const of = { pod: started, container: metadata.name };
  if (call.flags.isOn('tty') && !call.flags.isOn('quiet') && !hasEnded(started)) {
    io.err("If you don't see a command prompt, try pressing enter.\n");
  }
  // A program that has ended already is only in the log.
  io.out(await logOf(call, of));
  if (!hasEnded(started)) await kubeletOf(call, started, 'attach').attach(of, streamsOf(call));
  if (io.signal.aborted) return INTERRUPTED;
  if (spec.restartPolicy === 'Always') return 0;
  await observer.until(() => hasEnded(look()), io.signal);
  const ended = look();
  const { exitCode = 0, reason = '' } = ended?.status.containerStatuses?.[0]?.state?.terminated ?? {};
  if (exitCode !== 0) io.err(`pod ${key.namespace}/${key.name} terminated (${reason})\n`);
  return exitCode;
}
