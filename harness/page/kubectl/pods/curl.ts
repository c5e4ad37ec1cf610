import { keyOf, type New, type Pod } from '../../../api/objects.ts';
import { pods } from '../../../api/resource.ts';
import { isNotFound } from '../../../api/status.ts';
import { type Call, type Command, KILLED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING } from '../targets.ts';
import { logOf } from './logs.ts';

const IMAGE = 'curlimages/curl';

/**
 * `curl http://web`: sends a request from a new pod, and deletes the pod. It is short for `kubectl run curl -i --rm
 * --restart=Never --image=curlimages/curl -- curl http://web`.
 */
export const curl: Command = {
  name: 'curl',
  usage: 'URL [-m SECONDS]',
  summary: 'Sends a request from a new pod',
  reads: false,
  flags: {
    namespace: SELECTING.namespace,
    'max-time': { short: 'm', type: 'text', help: 'the longest time to wait, in seconds' },
    silent: { short: 's', type: 'switch', help: 'no progress, which is never shown here' },
    'show-error': { short: 'S', type: 'switch', help: 'errors, which are always shown here' },
    verbose: { short: 'v', type: 'switch', help: 'the steps of the connection' },
    head: { short: 'I', type: 'switch', help: 'only the headers' },
    include: { short: 'i', type: 'switch', help: 'the headers, too' },
  },
  run: async (call) => {
    const [url, more] = call.args;
    if (url === undefined || more !== undefined)
      throw new KubectlError('curl takes one URL: curl http://web');
    const { flags } = call;
    const options = [
      '-sS',
      ...(flags.has('max-time') ? ['-m', flags.text('max-time') ?? ''] : []),
      ...(flags.isOn('verbose') ? ['-v'] : []),
      ...(flags.isOn('head') ? ['-I'] : []),
      ...(flags.isOn('include') ? ['-i'] : []),
    ];
    return inPod(call, ['curl', ...options, url]);
  },
};

async function inPod(call: Call, command: readonly string[]): Promise<number> {
  const { client, io, namespace, observer } = call;
  const name = freeName(call);
  const pod = await client.create(pods, {
    metadata: { namespace, name, labels: { run: name } },
    spec: { restartPolicy: 'Never', containers: [{ name, image: IMAGE, command: [...command] }] },
  } as unknown as New<Pod>);
  const key = keyOf(pod);
  const look = (): Pod | undefined => observer.now(pods, key);
  const hasEnded = (): boolean => {
    const phase = look()?.status.phase;
    return phase === undefined || phase === 'Succeeded' || phase === 'Failed';
  };
  try {
    await observer.until(hasEnded, io.signal);
    const ended = look();
    if (io.signal.aborted || !ended) return KILLED;
    io.out(await logOf(call, { pod: ended, container: name }));
    return ended.status.containerStatuses?.[0]?.state?.terminated?.exitCode ?? 1;
  } finally {
    await client.delete(pods, key).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

function freeName({ cluster, namespace }: Call): string {
  const taken = new Set(cluster.storage.list(pods, { namespace }).map(({ metadata }) => metadata.name));
  for (let number = 0; ; number++) {
    const name = number === 0 ? 'curl' : `curl-${number}`;
    if (!taken.has(name)) return name;
  }
}
