import type { KubeObject } from '../../../api/objects.ts';
import { didYouMean } from '../../../cli/did-you-mean.ts';
import { shownName } from '../../../cluster/kubectl-words.ts';
import type { Call } from '../command.ts';
import type { Flag } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';
import type { Target } from '../targets.ts';
import { compactJson, jsonOf } from './json.ts';
import { fillIn, firstAt } from './json-path-template.ts';
import { yamlOf } from './yaml.ts';

/** The flags of a command that can print objects in other formats. */
export const PRINTING = {
  output: { short: 'o', type: 'text', help: 'wide, yaml, json, name, jsonpath=…, custom-columns=…' },
  'show-managed-fields': { type: 'switch', help: 'with yaml and json: the owner of each field' },
} as const satisfies Record<string, Flag>;

const FORMATS = ['wide', 'yaml', 'json', 'name', 'jsonpath', 'custom-columns'];

/** Prints objects in a format. @param isList whether the result is a list, even of one object */
type Printer = (targets: readonly Target[], isList: boolean) => string;

/** Returns the printer of `-o`; undefined for tables. @throws KubectlError for an unknown format */
export function printerOf({ flags }: Pick<Call, 'flags'>): Printer | undefined {
  const output = flags.text('output');
  if (output === undefined || output === 'wide') return undefined;
  const [format = '', ...more] = output.split('=');
  const template = more.join('=');
  const stripped = (object: KubeObject): KubeObject =>
    flags.isOn('show-managed-fields') ? object : withoutManagedFields(object);
  const whole = (targets: readonly Target[], isList: boolean): unknown =>
    isList ? listOf(targets.map(({ object }) => stripped(object))) : stripped((targets[0] as Target).object);
  switch (format) {
    case 'yaml':
      return (targets, isList) => yamlOf(whole(targets, isList));
    case 'json':
      return (targets, isList) => jsonOf(whole(targets, isList));
    case 'name':
      return (targets) =>
        targets.map(({ resource, object }) => `${shownName(resource, object.metadata.name)}\n`).join('');
    case 'jsonpath':
      if (template === '') throw new KubectlError('template format specified but no template given');
      return (targets, isList) => fillIn(template, whole(targets, isList));
    case 'custom-columns':
      if (template === '')
        throw new KubectlError('custom-columns format specified but no custom columns given');
      return (targets) => customColumns(template, targets);
    default: {
      const meant = didYouMean(format, FORMATS);
      throw new KubectlError(
        `unable to match a printer suitable for the output format "${format}", allowed formats are: ${FORMATS.join(',')}${meant === '' ? '' : `. ${meant}`}`,
      );
    }
  }
}

function listOf(items: readonly KubeObject[]): unknown {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/get/customcolumn.go CustomColumnsPrinter.PrintObj */
function customColumns(template: string, targets: readonly Target[]): string {
  const columns = template.split(',').map((column) => {
    const [title = '', ...path] = column.split(':');
    if (path.length === 0) {
      throw new KubectlError(`unexpected custom-columns spec: ${column}, expected <header>:<json-path-expr>`);
    }
    return { title, path: path.join(':') };
  });
  const rows = targets.map(({ object }) =>
    columns.map(({ path }) => {
      const value = firstAt(path, object);
      if (value === undefined || value === null) return '<none>';
      return typeof value === 'object' ? compactJson(value) : String(value);
    }),
  );
  const lines = [columns.map(({ title }) => title), ...rows].map((row) => `${row.join('\t')}\n`);
  return new TabWriter(TABLE_TABS).align(lines.join(''));
}
