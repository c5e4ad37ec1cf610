import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { groupVersion, resources } from '../../api/resource.ts';
import { FOLDER, type Manifested, objectsOf, projects } from '../projects/projects.ts';
import { changed, touched, trimmed } from './edits.ts';
import type { ApplyRow, Step } from './row.ts';

const textOf = (name: string): string => readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8');

const manifestOf = (objects: readonly object[]): string =>
  objects
    .map((object) => stringify(object, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');

/** Returns the place of an object in a step by another user; undefined for the object of a custom resource. */
function placeOf({ apiVersion, kind, metadata }: Manifested): string | undefined {
  const resource = resources.find((each) => groupVersion(each) === apiVersion && each.kind === kind);
  if (resource === undefined) return undefined;
  const within = resource.namespaced ? `${metadata.namespace ?? 'default'}/` : '';
  return `${apiVersion} ${kind} ${within}${metadata.name}`;
}

/** The annotation of an object repeats it, and the manifests are long. */
const LONGEST = 80;

/** The manifests of projects, whose objects all change in the same ways. */
export const projectRows: readonly ApplyRow[] = projects.map(({ name, needs }) => {
  const objects = objectsOf(name);
  const changedObjects = objects.map((object) => changed(object) as Manifested);
  const trimmedText = manifestOf(changedObjects.map(trimmed));
  const others: readonly Step[] = objects.flatMap((object) => {
    const place = placeOf(object);
    return place === undefined ? [] : [{ title: 'by another', object: place, does: { update: touched } }];
  });
  return {
    name,
    longest: LONGEST,
    ...(needs !== undefined && { needs: textOf(needs) }),
    steps: [
      { title: 'first', manifest: textOf(name) },
      { title: 'no change', manifest: textOf(name) },
      { title: 'a field changed', manifest: manifestOf(changedObjects) },
      { title: 'a field removed', manifest: trimmedText },
      ...others,
      { title: 'after another', manifest: trimmedText },
    ],
  };
});
