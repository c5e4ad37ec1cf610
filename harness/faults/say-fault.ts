import type { Fault } from './fault.ts';

/**
 * Describes a fault in one line: `cut the watches of replicaset-controller`. The screens of all laws use these words,
 * so that a fault reads the same everywhere.
 */
export function sayFault(fault: Fault): string {
  switch (fault.fault) {
    case 'lag':
      return `hold back the watch cache of apiserver-${fault.replica} for ${fault.forMs} ms`;
    case 'restart-apiserver':
      return `restart apiserver-${fault.replica}, which is away for ${fault.forMs} ms`;
    case 'compact':
      return 'compact etcd: to resume from before is 410 Gone';
    case 'cut-watches':
      return `cut the watches of ${fault.process}`;
    case 'delay-watches':
      return `hold back the events of ${fault.resource ? `${fault.resource} for ` : ''}${fault.process} for ${fault.forMs} ms`;
    case 'fail-watches':
      return `end the watches of ${fault.process} with ${fault.reason}`;
    case 'refuse': {
      const noun = fault.verb ?? 'request';
      const plural = `${noun}${/(ch|s)$/.test(noun) ? 'es' : 's'}`;
      const which = fault.requests === 1 ? `next ${noun}` : `next ${fault.requests} ${plural}`;
      return `refuse the ${which} of ${fault.process} with ${fault.reason}`;
    }
    case 'time-out':
      return `let the next ${fault.verb ?? 'request'} of ${fault.process} time out, ${carriedOut(fault.performed)}`;
    case 'crash': {
      const when = fault.skip === 0 ? 'its next request' : `its request ${fault.skip + 1} from now`;
      return `crash ${fault.process} at ${when}, ${carriedOut(fault.performed)}; start it again after ${fault.restartAfterMs} ms`;
    }
    case 'partition':
      return `partition ${fault.node} for ${fault.forMs} ms`;
    case 'node-death':
      return `kill ${fault.node}`;
    case 'clock-jump':
      return fault.byMs === 0
        ? `set the clock of ${fault.node} right`
        : `set the clock of ${fault.node} wrong by ${fault.byMs} ms`;
    case 'fail-call':
      return `fail the next ${fault.verb ?? `${fault.port} call`} of ${fault.process}, ${carriedOut(fault.performed)}`;
  }
}

function carriedOut(performed: boolean): string {
  return performed ? 'carried out' : 'not carried out';
}
