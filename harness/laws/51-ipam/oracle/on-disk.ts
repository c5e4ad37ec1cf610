import type { Directory } from '../history.ts';
import { textOf } from '../scenario/index.ts';
import { directoryOf, fileOf } from '../scenario/networks.ts';
import type { Account, AddressModel } from './index.ts';

const isLast = (name: string): boolean => /^last_reserved_ip\.\d+$/.test(name);

const isAddress = (name: string): boolean => /^(?:[\d.]+|[\da-f]*:[\da-f:]*)$/.test(name);

/** Judges the files at a moment without a running process. */
export function onDisk(model: AddressModel, accounts: readonly Account[], disk: readonly Directory[]): void {
  const isTwoHanded = accounts.length > 1;
  for (const [i, account] of accounts.entries()) {
    const directory = disk[i] ?? {};
    const files = Object.fromEntries(Object.entries(directory).map(([name, { text }]) => [name, text]));
    modes(model, account, directory);
    littered(model, account, files);
    if (account.disk && isTwoHanded && !account.onlyLooked) apart(model, account, files);
    if (account.disk && account.onlyLooked) unchanged(model, account, files);
    kept(model, account, files);
    if (account.collected) collected(model, account, files);
    account.disk = files;
    account.onlyLooked = undefined;
  }
}

/** Checks that no other user can read a reservation: it has the mode of host-local. */
function modes(model: AddressModel, { plan }: Account, directory: Directory): void {
  for (const [name, { mode }] of Object.entries(directory)) {
    if ((isAddress(name) || isLast(name)) && mode !== 0o600)
      model.violation(
        'kept',
        `${directoryOf(plan)}/${name} has the mode 0o${mode.toString(8)}; expected 0o600`,
      );
  }
}

/** Checks that processes that did not crash leave no files besides reservations, `lock` and `last_reserved_ip`. */
function littered(model: AddressModel, account: Account, files: Readonly<Record<string, string>>): void {
  const litter = Object.entries(files).flatMap(([name, text]) =>
    name === 'lock' || isLast(name) || (isAddress(name) && text !== '') ? [] : [name],
  );
  const more = litter.find((name) => !account.litter.includes(name));
  if (more !== undefined && !account.mayLitter)
    model.violation(
      account.blamed,
      isAddress(more)
        ? `${directoryOf(account.plan)}/${more} exists without an owner, although no process died: an ADD whose write fails must remove the file`
        : `${directoryOf(account.plan)}/${more} still exists, although no process died: a command must remove its temporary files`,
    );
  account.litter = litter;
  account.mayLitter = false;
  account.blamed = 'kept';
}

/** Checks that nothing changed in a network without a command. */
function apart(
  model: AddressModel,
  { plan, disk = {}, ledger }: Account,
  files: Readonly<Record<string, string>>,
): void {
  if ([...ledger.containers.values()].some(({ kind }) => kind === 'held')) model.met.add('apart');
  const names = new Set([...Object.keys(disk), ...Object.keys(files)]);
  const changed = [...names].find((name) => disk[name] !== files[name]);
  if (changed !== undefined)
    model.violation(
      'apart',
      `${directoryOf(plan)}/${changed} changed, although no command ran in this network`,
    );
}

/**
 * Checks that commands that change nothing keep reservations and last addresses. They may remove remains of crashed
 * processes.
 */
function unchanged(
  model: AddressModel,
  { plan, disk = {}, onlyLooked = 'kept' }: Account,
  files: Readonly<Record<string, string>>,
): void {
  const names = Object.keys({ ...disk, ...files }).filter((name) => isAddress(name) || isLast(name));
  const changed = names.find((name) => (disk[name] ?? '') !== (files[name] ?? ''));
  if (changed !== undefined)
    model.violation(
      onlyLooked,
      `${directoryOf(plan)}/${changed} ${say(files[changed])} now; before, it contained ${JSON.stringify(disk[changed])}. Only ADD, DEL and GC may change files`,
    );
}

function kept(
  model: AddressModel,
  { plan, ledger, round }: Account,
  files: Readonly<Record<string, string>>,
): void {
  const known = new Map(
    [...ledger.containers].map(([container, standing]) => [textOf(container), { container, standing }]),
  );
  for (const [container, { kind, addresses }] of ledger.containers) {
    if (kind !== 'held') continue;
    model.met.add('kept');
    for (const address of addresses) {
      const text = files[fileOf(address)];
      if (text !== textOf(container))
        model.violation(
          'kept',
          `${container} has ${address}, but its file ${directoryOf(plan)}/${fileOf(address)} ${say(text)}; the file must name the container ID and the interface`,
        );
    }
  }
  for (const [name, text] of Object.entries(files)) {
    // A crashed process may leave an empty file; its address is free.
    if (!isAddress(name) || text === '') continue;
    const owner = known.get(text);
    if (!owner) {
      model.violation(
        'kept',
        `${directoryOf(plan)}/${name} ${say(text)}, which names no container and interface`,
      );
      continue;
    }
    const { container, standing } = owner;
    const path = `${directoryOf(plan)}/${name}`;
    if (standing.kind === 'held' && !standing.addresses.some((address) => fileOf(address) === name))
      model.violation(
        'releases',
        `${path} still names ${container}, which now has ${standing.addresses.join(', ')}`,
      );
    if (standing.kind !== 'free') continue;
    if (standing.since === 'ADD')
      model.violation(
        'undoes',
        `ADD ${container} failed, but left ${path}: release the addresses that a failed ADD has reserved`,
      );
    else if (standing.since === 'GC')
      model.violation(
        'collects',
        `GC left ${path} of ${container}, which is not among the valid attachments`,
      );
    else model.violation('releases', `DEL ${container} succeeded, but left ${path}`);
  }
  for (const [i, last] of round.last.entries()) {
    if (last === undefined || last === 'none') continue;
    const text = files[`last_reserved_ip.${i}`];
    if (text !== fileOf(last))
      model.violation(
        'kept',
        `${fileOf(last)} is the last reserved address, but ${directoryOf(plan)}/last_reserved_ip.${i} ${say(text)}`,
      );
  }
}

/** Checks that right after a GC only addresses of valid containers are left. */
function collected(
  model: AddressModel,
  { plan, ledger, collected: gc }: Account,
  files: Readonly<Record<string, string>>,
): void {
  const valid = new Map((gc?.valid ?? []).map((container) => [textOf(container), container]));
  for (const [name, text] of Object.entries(files)) {
    if (name === 'lock' || isLast(name)) continue;
    const owner = valid.get(text);
    const isHeld = owner !== undefined && ledger.standing(owner).kind !== 'free';
    if (isAddress(name) && isHeld) continue;
    model.violation(
      'collects',
      `after GC, ${directoryOf(plan)}/${name} still exists and ${say(text)}; GC must remove files that name no valid attachment, and temporary files of crashed processes`,
    );
  }
}

function say(text: string | undefined): string {
  return text === undefined ? 'does not exist' : `contains ${JSON.stringify(text)}`;
}
