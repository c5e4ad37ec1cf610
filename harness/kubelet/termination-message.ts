import type * as cri from '../contracts/node/cri/index.ts';
import { notesIn } from './labels.ts';

/**
 * The limit for one container, in bytes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go MaxContainerTerminationMessageLength
 */
const LENGTH_MAX = 4096;

/**
 * The limits for the log, if it is used instead: bytes and lines.
 *
 * Upstream: MaxContainerTerminationMessageLogLength, MaxContainerTerminationMessageLogLines
 */
const LOG_LENGTH_MAX = 2048;
const LOG_LINES_MAX = 80;

/**
 * Returns the termination message of a container: the runtime's message about its exit, and the content of its
 * termination log. If the log is empty, the container has failed and its spec requests it, the end of the container's
 * log is used.
 *
 * @param readFile reads a file of the node; a failure counts as an empty file
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

/** Returns the last lines of a log in CRI format, without the prefix of the runtime. */
function endOf(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => line !== '')
    .slice(-LOG_LINES_MAX)
    .map((line) => `${line.split(' ').slice(3).join(' ')}\n`);
  return lines.join('').slice(-LOG_LENGTH_MAX);
}
