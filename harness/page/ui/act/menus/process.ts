import type { NodePort, Refusal, WatchFailure } from '../../../../faults/fault.ts';
import type { ComponentView } from '../../../protocol/view.ts';
import type { Input, Values } from '../input.ts';
import { actTexts } from '../texts.ts';
import { choice, count, fault, isPerformed, msOf, performed, seconds } from './items.ts';
import type { MenuItem, MenuSection } from './menu.ts';

const { items, inputs: labels, sections, reasons, ports } = actTexts;

const watchFailures: readonly WatchFailure[] = ['Expired', 'InternalError', 'TooManyRequests', 'Timeout'];
const refusals: readonly Refusal[] = [
  'Conflict',
  'TooManyRequests',
  'InternalError',
  'ServiceUnavailable',
  'Expired',
  'Forbidden',
];

/** The verbs of requests, as traces name them. */
const verbs = ['create', 'update', 'updateStatus', 'patch', 'bind', 'delete', 'get', 'list', 'watch'];

/** The ports that a process of a node calls. */
const portsOf: { readonly [part in NonNullable<ComponentView['part']>]?: readonly NodePort[] } = {
  kubelet: ['cri', 'fs', 'net', 'tools', 'csi'],
  serviceProxy: ['tools', 'fs', 'net'],
  routeController: ['tools', 'fs'],
};

/** A process whose menu opens. */
export type ProcessSubject = Pick<ComponentView, 'name' | 'caches'> & Partial<Pick<ComponentView, 'part'>>;

/** The faults of a process. */
export function processMenu({ name: process, caches, part }: ProcessSubject): readonly MenuSection[] {
  const own = part === undefined ? undefined : portsOf[part];
  return [
    {
      heading: sections.crashes,
      items: [
        {
          id: 'kill',
          label: items.kill,
          inputs: [restart()],
          act: (values) => ({
            action: { do: 'kill', process, restartAfterMs: msOf(values, 'restartAfterMs') },
          }),
        },
        fault(
          'crash',
          items.crash,
          [count('skip', labels.skip, 0, 0, 1_000), performed(), restart()],
          (values) => ({
            fault: 'crash',
            process,
            skip: Number(values.skip),
            performed: isPerformed(values),
            restartAfterMs: msOf(values, 'restartAfterMs'),
          }),
        ),
      ],
    },
    {
      heading: sections.watches,
      items: [
        fault(
          'delay-watches',
          items.delayWatches,
          [
            choice('resource', labels.resource, [
              ['', labels.allResources],
              // A fault names the plural alone: `replicasets` for the cache `replicasets.apps`.
              ...caches.map(({ resource }) => [resource.split('.')[0] ?? resource, resource] as const),
            ]),
            seconds('forMs', labels.forMs, 30),
          ],
          (values) => ({
            fault: 'delay-watches',
            process,
            forMs: msOf(values, 'forMs'),
            ...(values.resource ? { resource: values.resource } : {}),
          }),
        ),
        fault('cut-watches', items.cutWatches, [], () => ({ fault: 'cut-watches', process })),
        fault(
          'fail-watches',
          items.failWatches,
          [
            choice(
              'reason',
              labels.reason,
              watchFailures.map((reason) => [reason, reasons[reason]]),
            ),
          ],
          (values) => ({ fault: 'fail-watches', process, reason: values.reason as WatchFailure }),
        ),
      ],
    },
    {
      heading: sections.requests,
      items: [
        fault(
          'refuse',
          items.refuse,
          [
            count('requests', labels.requests, 3, 1, 1_000),
            choice(
              'reason',
              labels.reason,
              refusals.map((reason) => [reason, reasons[reason]]),
            ),
            verb(),
          ],
          (values) => ({
            fault: 'refuse',
            process,
            reason: values.reason as Refusal,
            requests: Number(values.requests),
            ...verbOf(values),
          }),
        ),
        fault('time-out', items.timeOut, [performed(), verb()], (values) => ({
          fault: 'time-out',
          process,
          performed: isPerformed(values),
          ...verbOf(values),
        })),
      ],
    },
    ...(own === undefined ? [] : [{ heading: sections.calls, items: [failCall(process, own)] }]),
  ];
}

/** The item that lets a call on the machine fail. */
export function failCall(process: string, own: readonly NodePort[], label = items.failCall): MenuItem {
  return fault(
    `fail-call ${process}`,
    label,
    [
      choice(
        'port',
        labels.port,
        own.map((port) => [port, ports[port]]),
      ),
      performed(labels.performedCall),
    ],
    (values) => ({
      fault: 'fail-call',
      process,
      port: values.port as NodePort,
      performed: isPerformed(values),
    }),
  );
}

function restart(): Input {
  return seconds('restartAfterMs', labels.restartAfterMs, 1, { min: 0 });
}

function verb(): Input {
  return choice('verb', labels.verb, [['', labels.anyVerb], ...verbs.map((one) => [one, one] as const)]);
}

function verbOf({ verb }: Values): { readonly verb?: string } {
  return verb ? { verb } : {};
}
