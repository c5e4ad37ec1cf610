import { defineResource } from '../../../api/define-resource.ts';
import { nodeMetrics, podMetrics } from '../../../api/plain-resources.ts';
import { groupVersion, type Resource, verbsOf } from '../../../api/resource.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apiresources/apiresources.go APIResourceOptions.RunAPIResources */
export const apiResources: Command = {
  name: 'api-resources',
  usage: '[--namespaced=false] [--api-group=apps] [-o wide|name]',
  summary: 'Lists the kinds that the cluster serves, with their short names',
  reads: true,
  flags: {
    namespaced: { type: 'switch', help: 'only kinds in namespaces; with =false only the others' },
    'api-group': { type: 'text', help: 'only this group' },
    'no-headers': { type: 'switch', help: 'no headers' },
    output: { short: 'o', type: 'text', help: 'wide or name' },
  },
  run: async ({ flags, kinds, io, metrics }) => {
    const output = flags.text('output') ?? '';
    if (!['', 'wide', 'name'].includes(output)) throw new KubectlError(`--output ${output} is not available`);
    const group = flags.text('api-group');
    const shown = preferred([...kinds.all, bindings, ...(metrics ? [nodeMetrics, podMetrics] : [])])
      .filter((resource) => group === undefined || resource.group === group)
      .filter(({ namespaced }) => !flags.has('namespaced') || namespaced === flags.isOn('namespaced'))
      .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
    if (output === 'name') {
      const names = shown.map(({ plural, group: of }) => `${of === '' ? plural : `${plural}.${of}`}\n`);
      io.out(names.join(''));
      return;
    }
    const isWide = output === 'wide';
    const titles = [
      'NAME',
      'SHORTNAMES',
      'APIVERSION',
      'NAMESPACED',
      'KIND',
      ...(isWide ? ['VERBS', 'CATEGORIES'] : []),
    ];
    const rows = shown.map((resource) => [
      resource.plural,
      resource.shortNames.join(','),
      groupVersion(resource),
      String(resource.namespaced),
      resource.kind,
      ...(isWide ? [[...verbsOf(resource)].sort().join(','), resource.categories.join(',')] : []),
    ]);
    const lines = [...(flags.isOn('no-headers') ? [] : [titles]), ...rows].map(
      (row) => `${row.join('\t')}\n`,
    );
    io.out(new TabWriter(TABLE_TABS).align(lines.join('')));
  },
};

/** A subresource of pods, which discovery lists like a resource. */
const bindings = defineResource('v1', 'Binding', 'bindings', { verbs: ['create'] });

/** The server prefers one of several versions of a resource. The preferred version stands first. */
function preferred(all: readonly Resource[]): readonly Resource[] {
  return all.filter(
    (each, at) => all.findIndex(({ group, plural }) => group === each.group && plural === each.plural) === at,
  );
}

const order = ({ group, plural }: Resource): string => `${group} ${plural}`;
