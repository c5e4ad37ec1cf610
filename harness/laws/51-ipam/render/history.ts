import type { Answer, Event, Run } from '../history.ts';
import { type NetworkPlan, rangesOf } from '../scenario/networks.ts';

/** Renders an entry for a timeline; undefined for entries without news. */
export function render(
  event: Event,
  networks: readonly NetworkPlan[],
): { actor: string; verb: string; object?: string; note?: string } | undefined {
  switch (event.kind) {
    case 'begins': {
      const { valid, asksFor } = event.run;
      const note =
        event.run.command === 'GC' && !valid
          ? 'without cni.dev/valid-attachments'
          : valid
            ? `valid: ${valid.join(', ') || 'none'}`
            : asksFor && `requests ${asksFor.join(' and ')}`;
      return { actor: describeRun(event.run, networks), verb: 'begins', ...(note && { note }) };
    }
    case 'dies':
      return { actor: describeRun(event.run, networks), verb: 'is killed' };
    case 'ends':
      return { actor: describeRun(event.run, networks), verb: 'ends', note: describeAnswer(event.answer) };
    case 'stuck':
      return { actor: describeRun(event.run, networks), verb: 'never ends' };
    case 'cut':
      return { actor: 'the node', verb: 'loses power and reboots' };
    case 'disk':
      return { actor: 'the disk', verb: event.full ? 'is full' : 'has room again' };
    case 'left':
      return {
        actor: 'an older host-local',
        verb: event.text === '' ? 'crashes and leaves an empty file' : 'crashes and leaves a file',
        object: event.name,
        ...(event.text !== '' && { note: `contains ${JSON.stringify(event.text)}` }),
      };
    case 'configured':
      return { actor: 'the network', verb: 'gets other ranges', note: rangesOf(event.plan) };
    case 'rest':
      return undefined;
  }
}

/** Renders a process: `ADD pod-1`. */
export function describeRun({ command, container, network }: Run, networks: readonly NetworkPlan[]): string {
  const where = networks.length > 1 ? `in ${networks[network]?.name}` : '';
  return [command, container, where].filter(Boolean).join(' ');
}

/** Renders the result of a process. */
export function describeAnswer({ code, stdout }: Answer): string {
  const said = answerOf(stdout);
  if (code !== 0) return `code ${said.code}: ${said.msg ?? stdout}`;
  return said.ips ? said.ips.map(({ address }) => address).join(', ') : 'ok';
}

/** The fields of a result or an error that the laws read. */
export interface Said {
  readonly ips?: readonly { readonly address?: string; readonly gateway?: string }[];
  readonly interfaces?: readonly unknown[];
  readonly routes?: readonly unknown[];
  readonly code?: number;
  readonly msg?: string;
}

/** Parses standard output; returns an empty object if it is not JSON. */
export function answerOf(stdout: string): Said {
  try {
    return (JSON.parse(stdout || '{}') ?? {}) as Said;
  } catch {
    return {};
  }
}
