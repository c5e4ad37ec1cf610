import type * as cri from '../contracts/node/cri/index.ts';
import { notesIn } from './labels.ts';

/** Of one container, in bytes. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go MaxContainerTerminationMessageLength */
const LENGTH_MAX = 4096;

/** Of its log, if that is to stand in: bytes and lines. Upstream: MaxContainerTerminationMessageLogLength, MaxContainerTerminationMessageLogLines */
const LOG_LENGTH_MAX = 2048;
const LOG_LINES_MAX = 80;

/**
 * What a container left to say: what the runtime says of its end, and what it wrote into its termination log. If it wrote
 * nothing and failed, and its spec asks for it, the end of its log.
 *
 * @param readFile a file of the node; its failure counts as nothing written
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go getTerminationMessage
 */
export async function terminationMessage(
  { annotations, mounts, exitCode, reason, message, logPath }: cri.ContainerStatus,
  readFile: (path: string) => Promise<string>,
): Promise<string> {
  const { terminationMessagePath: path, terminationMessagePolicy: policy } = notesIn(annotations);
  const read = (file: string) => readFile(file).catch(() => '');
  const { hostPath } = mounts.find(({ containerPath }) => containerPath === path) ?? {};
  const written = hostPath === undefined ? '' : (await read(hostPath)).slice(0, LENGTH_MAX);
  const fallback =
    written === '' && policy === 'FallbackToLogsOnError' && exitCode !== 0 && reason !== 'ContainerCannotRun';
  const said = fallback ? endOf(await read(logPath)) : written;
  return [message, said].filter((part) => part !== '').join(': ');
}

/** The last lines of a log in CRI's format, without what the runtime put before each. */
function endOf(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => line !== '')
    .slice(-LOG_LINES_MAX)
    .map((line) => `${line.split(' ').slice(3).join(' ')}\n`);
  return lines.join('').slice(-LOG_LENGTH_MAX);
}
