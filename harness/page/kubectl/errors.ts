import { SelectorError } from '../../api/label-selector.ts';
import { StatusError } from '../../api/status.ts';
import { statusMessage } from '../../cluster/kubectl-words.ts';
import { ConnectionError } from '../../contracts/connection-error.ts';
import { KubeletError } from '../../contracts/node/kubelet-server.ts';
import { KubectlError } from './kubectl-error.ts';

/**
 * Returns an error as kubectl prints it, without a newline.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go StandardErrorMessage, checkErr
 */
export function message(error: unknown): string {
  if (error instanceof KubectlError) return error.isPlain ? error.message : `error: ${error.message}`;
  if (error instanceof StatusError) return statusMessage(error);
  if (error instanceof KubeletError) return `Error from server (BadRequest): ${error.message}`;
  if (error instanceof SelectorError) return `error: unable to parse requirement: ${error.message}`;
  if (error instanceof ConnectionError) {
    return `The connection to the server was refused or lost: ${error.message}`;
  }
  throw error;
}

/**
 * Returns an error of the server that also names the file of the object.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go AddSourceToErr
 */
export function withSource(error: unknown, doing: string, file: string): unknown {
  if (!(error instanceof StatusError) || error.reason === 'Invalid') return error;
  const source = file === '-' ? 'STDIN' : file;
  return new StatusError({ ...error.status, message: `error when ${doing} "${source}": ${error.message}` });
}

/** Returns the exit code of a command that failed with this error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof KubectlError ? error.exitCode : 1;
}
