/** Why an apply here differs from the recorded kubectl in requests or words, by row. */
export const differences: Readonly<Record<string, string>> = {
  'container-ports':
    'Two ports have one merge key, which upstream does not support. kubectl deletes with all fields of the port, an apply here with its key. Both delete the other port, too.',
  'custom-resource-nulls':
    'The library that computes a merge patch removes null fields of objects in lists. An apply here sends them, and the server stores them where the schema allows null.',
  'dry-run':
    'kubectl 1.36 computes the patch of a client dry run, and so knows that nothing changes. Before, it did not.',
  'nested-list': 'kubectl refuses a list in a list. An apply here opens it.',
  'null-values':
    'kubectl 1.32 drops all annotations of a manifest if one of them is null. 1.36 and an apply here send an empty text for it.',
  'unnamed-version':
    'kubectl reads no further in a file after a document without kind or apiVersion. An apply here applies the documents after it. Another parser of YAML has other messages.',
};
