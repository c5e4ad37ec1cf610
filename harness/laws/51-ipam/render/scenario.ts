import { sayCircumstances, saySteps } from '../../../testing/telling.ts';
import { attachmentOf, type IpamScenario, type Step } from '../scenario/index.ts';
import { rangesOf } from '../scenario/networks.ts';

/** Describes a scenario, one line per step. */
export function describeScenario({ seed, schedule, networks, steps }: IpamScenario): readonly string[] {
  const several = networks.length > 1;
  return [
    ...sayCircumstances({ seed, schedule }),
    ...networks.map(
      (network) =>
        `network ${network.name}: ${rangesOf(network)}${network.blocked ? ', with a file in place of its directory' : ''}`,
    ),
    ...saySteps(steps, (step) => {
      const where = several && 'network' in step ? ` in ${networks[step.network]?.name}` : '';
      return `${said(step)}${where}`;
    }),
  ];
}

function said(step: Step): string {
  switch (step.call) {
    case 'power cut':
      return 'power cut; the node reboots';
    case 'disk full':
      return `the disk has only ${step.roomBytes} bytes left for ${step.forMs} ms`;
    case 'left empty':
      return `an older host-local crashes and leaves an empty file for address ${step.at + 1} of the first range set`;
    case 'left last':
      return `an older host-local crashes and leaves last_reserved_ip.${step.set} with ${JSON.stringify(step.text)}`;
    case 'configuration':
      return `the configuration changes to the ranges ${rangesOf(step.plan)}`;
    case 'inventory':
      return 'DEL all containers, then ADD once per address plus one';
    case 'STATUS':
      return 'STATUS';
    case 'GC': {
      const gone =
        step.gone.length > 0
          ? ` without ${step.gone.map(attachmentOf).join(', ')} in the list of valid attachments`
          : '';
      if (step.unlisted) return `GC without cni.dev/valid-attachments${dies(step.dies)}`;
      const begun = step.begun ? ', with all containers whose ADD has started in the list' : '';
      return `GC${gone}${begun}${dies(step.dies)}`;
    }
    case 'ADD': {
      const asks = step.asksFor === undefined ? '' : ` that requests ${step.asksFor.join(' and ')}`;
      return `ADD ${attachmentOf(step.container)}${asks}${dies(step.dies)}`;
    }
    default:
      return `${step.call} ${attachmentOf(step.container)}${dies(step.dies)}`;
  }
}

function dies(call: number | undefined): string {
  return call === undefined ? '' : `, killed before its system call ${call}`;
}
