import { resources } from '../api/resource.ts';
import { errors, type StatusError } from '../api/status.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { CriError } from '../contracts/node/cri/index.ts';
import { FileError, NetworkError } from '../contracts/node/index.ts';
import { ToolError } from '../contracts/node/network-tools.ts';
import type { NodePort, Refusal, WatchFailure } from './fault.ts';

/**
 * Returns the server's error for a reason, with the server's message.
 *
 * @param about the object of the request as in the trace: `pods/default/web-1`, or `pods/default/web-…` if the name is
 * not generated yet. It is used only for `Conflict` and `Forbidden`
 */
export function failureOf(reason: Refusal | WatchFailure, about = 'objects'): StatusError {
  const [plural = '', ...key] = about.split('/');
  const resource = resources.find((each) => each.plural === plural) ?? {
    group: '',
    plural,
    namespaced: true,
  };
  const name = key[resource.namespaced ? 1 : 0]?.replace('…', '') || 'Unknown';
  switch (reason) {
    case 'Conflict':
      return errors.conflict(
        resource,
        name,
        'the object has been modified; please apply your changes to the latest version and try again',
      );
    case 'Expired':
      return errors.expired('The resourceVersion for the provided watch is too old.');
    case 'TooManyRequests':
      return errors.tooManyRequests(
        'The server is currently unable to handle the request: too many requests',
        1,
      );
    case 'InternalError':
      return errors.internal('etcdserver: leader changed');
    case 'ServiceUnavailable':
      return errors.unavailable('apiserver is shutting down');
    case 'Forbidden':
      return errors.forbidden(
        resource,
        name,
        'exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
      );
    case 'Timeout':
      return errors.timeout('request did not complete within requested timeout');
  }
}

/** Returns the error of a call without a response, with the message of the called program. */
export function callFailureOf(port: NodePort): Error {
  switch (port) {
    case 'cri':
    case 'csi':
      return new CriError('Unavailable', `error reading from server: EOF`);
    case 'cni':
      return new ConnectionError('ECONNRESET', 'netplugin failed with no error message: signal: killed');
    case 'fs':
      return new FileError('EIO', 'input/output error');
    case 'tools':
      return new ToolError({ command: 'ip', exitCode: 137, stderr: 'Killed' });
    case 'net':
      return new NetworkError('ECONNRESET', 'read: connection reset by peer');
  }
}
