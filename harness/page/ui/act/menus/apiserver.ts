import type { ApiServerView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { action, fault, msOf, seconds } from './items.ts';
import type { MenuSection } from './menu.ts';

const { items, inputs: labels, sections } = actTexts;

/** The faults of an apiserver and of the storage behind it. */
export function apiserverMenu({ index: replica }: Pick<ApiServerView, 'index'>): readonly MenuSection[] {
  return [
    {
      heading: sections.storage,
      items: [
        fault('lag', items.lag, [seconds('forMs', labels.forMs, 30)], (values) => ({
          fault: 'lag',
          replica,
          forMs: msOf(values, 'forMs'),
        })),
        fault('restart-apiserver', items.restartApiserver, [seconds('forMs', labels.forMs, 5)], (values) => ({
          fault: 'restart-apiserver',
          replica,
          forMs: msOf(values, 'forMs'),
        })),
        fault('compact', items.compact, [], () => ({ fault: 'compact' })),
      ],
    },
    { heading: sections.faults, items: [action('heal', items.heal, { do: 'heal' })] },
  ];
}
