/** Offers a text to the reader as a download. */
export function saveFile(name: string, content: string, type: string): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  URL.revokeObjectURL(link.href);
}
