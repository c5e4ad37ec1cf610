import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { shownName, dryRunSuffix as suffixOf } from '../../../cluster/kubectl-words.ts';
import type { Call } from '../command.ts';
import type { Flag } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { PRINTING, printerOf } from '../print/output.ts';

/** The flags of commands that write objects and report each. */
export const WRITING = {
  ...PRINTING,
  'dry-run': {
    type: 'text',
    alone: 'unchanged',
    help: 'client or server: write nothing, only show the object',
  },
} as const satisfies Record<string, Flag>;

type DryRun = 'none' | 'client' | 'server';

/** Returns the value of `--dry-run`. @throws KubectlError for an unknown value */
export function dryRunOf({ flags }: Pick<Call, 'flags'>): DryRun {
  const value = flags.text('dry-run') ?? 'none';
  if (value === 'unchanged') return 'client';
  if (value === 'none' || value === 'client' || value === 'server') return value;
  throw new KubectlError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}

/** Returns the options of a write by this command. @param manager the part of the field manager after `kubectl-` */
export function writeOptions(
  call: Call,
  manager: string,
): { readonly fieldManager: string; readonly dryRun?: true } {
  return { fieldManager: `kubectl-${manager}`, ...(dryRunOf(call) === 'server' ? { dryRun: true } : {}) };
}

/**
 * Prints a written object: `deployment.apps/web scaled`, or in the format of `-o`.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/printers/name.go NamePrinter.PrintObj
 */
export function report(call: Call, resource: Resource, object: KubeObject, verb: string): void {
  const printer = printerOf(call);
  if (printer) call.io.out(printer([{ resource, object }], false));
  else call.io.out(`${shownName(resource, object.metadata.name)} ${verb}${dryRunSuffix(call)}\n`);
}

/** Returns `(dry run)` behind a space, if nothing was written. */
export function dryRunSuffix(call: Pick<Call, 'flags'>): string {
  const dryRun = dryRunOf(call);
  return suffixOf(dryRun === 'none' ? undefined : dryRun);
}
