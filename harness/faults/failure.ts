import { errors, type StatusError } from '../api/status.ts';
import type { Refusal, WatchFailure } from './fault.ts';

/** The failure that a server gives for a reason, in its words. */
export function failureOf(reason: Refusal | WatchFailure): StatusError {
  switch (reason) {
    case 'Conflict':
      return errors.conflict(
        { group: '', plural: 'objects' },
        'it',
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
        { group: '', plural: 'pods' },
        '',
        'exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
      );
    case 'Timeout':
      return errors.timeout('request did not complete within requested timeout');
  }
}
