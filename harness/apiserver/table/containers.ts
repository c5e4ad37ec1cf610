import type { Container, PodTemplateSpec } from '#api/core/v1';
import { type Column, text, wide } from './column.ts';

/**
 * Returns the wide columns for the names and the images of the containers of a template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go layoutContainerCells
 */
export function containerColumns<T>(
  templateOf: (object: T) => PodTemplateSpec | null | undefined,
): readonly [Column<T>, Column<T>] {
  const join = (object: T, partOf: (container: Container) => string | undefined): string =>
    (templateOf(object)?.spec?.containers ?? []).map((container) => partOf(container) ?? '').join(',');
  return [
    wide(
      text('Containers', 'The names of the containers of its pods.', (it) => join(it, ({ name }) => name)),
    ),
    wide(text('Images', 'The images of the containers of its pods.', (it) => join(it, ({ image }) => image))),
  ];
}
