import { actTexts } from '../texts.ts';
import { command, promptCommand } from './items.ts';
import type { MenuSection } from './menu.ts';
import { namespaceFlag } from './namespace-flag.ts';

const { items, sections } = actTexts;

/**
 * The commands for an object of any other kind.
 *
 * @param resource `replicasets.apps`
 * @param key `namespace/name`, or `name`
 */
export function objectMenu(resource: string, key: string): readonly MenuSection[] {
  const [name = '', namespace = 'default'] = key.split('/').reverse();
  const of = `${resource} ${name}${namespaceFlag(namespace)}`;
  return [
    {
      heading: sections.commands,
      items: [
        promptCommand('describe', items.describe, `kubectl describe ${of}`),
        command('delete', items.delete, `kubectl delete ${of}`),
      ],
    },
  ];
}
