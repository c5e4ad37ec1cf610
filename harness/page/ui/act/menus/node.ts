import type { NodeView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { action, command, fault, msOf, promptCommand, seconds } from './items.ts';
import type { MenuSection } from './menu.ts';
import { failCall } from './process.ts';

const { items, inputs: labels, sections } = actTexts;

/** The commands and faults of a node. */
export function nodeMenu({
  name: node,
  isCordoned,
  isPowered,
  diskUsedPercent,
}: NodeView): readonly MenuSection[] {
  return [
    {
      heading: sections.commands,
      items: [
        isCordoned
          ? command('uncordon', items.uncordon, `kubectl uncordon ${node}`)
          : command('cordon', items.cordon, `kubectl cordon ${node}`),
        command(
          'drain',
          items.drain,
          `kubectl drain ${node} --ignore-daemonsets --delete-emptydir-data --force`,
        ),
        promptCommand('describe', items.describe, `kubectl describe node ${node}`),
      ],
    },
    {
      heading: sections.node,
      items: [
        isPowered
          ? fault('node-death', items.powerOff, [], () => ({ fault: 'node-death', node }))
          : action('power-on', items.powerOn, { do: 'power-on', node }),
        fault('partition', items.partition, [seconds('forMs', labels.forMs, 30)], (values) => ({
          fault: 'partition',
          node,
          forMs: msOf(values, 'forMs'),
        })),
        fault(
          'clock-jump',
          items.clockJump,
          [seconds('byMs', labels.byMs, 60, { min: -86_400, max: 86_400 })],
          (values) => ({ fault: 'clock-jump', node, byMs: msOf(values, 'byMs') }),
        ),
        fault('clock-right', items.clockRight, [], () => ({ fault: 'clock-jump', node, byMs: 0 })),
        {
          id: 'fill-disk',
          label: items.fillDisk,
          inputs: [
            {
              ...{ kind: 'number', name: 'percent', label: labels.upTo, unit: labels.percent },
              ...{ min: Math.min(99, Math.ceil(diskUsedPercent) + 1), max: 100, step: 1 },
              value: Math.max(95, Math.min(100, Math.ceil(diskUsedPercent) + 1)),
            },
          ],
          act: ({ percent }) => ({ action: { do: 'fill-disk', node, percent: Number(percent) } }),
        },
        action('empty-disk', items.emptyDisk, { do: 'fill-disk', node, percent: 0 }),
      ],
    },
    {
      heading: sections.calls,
      items: [
        // The runtime calls the plugins, so the fault strikes the runtime.
        failCall(`containerd-${node}`, ['cni'], items.failCni),
      ],
    },
  ];
}
