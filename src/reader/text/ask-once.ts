// Answers that are found when somebody asks for them, and once.

/** Asks at the first call. */
export function askOnce<Answer>(ask: () => Answer): () => Answer {
  let known: { readonly answer: Answer } | null = null
  return () => {
    known ??= { answer: ask() }
    return known.answer
  }
}

/** Asks once for each key. */
export function askOnceEach<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = ask(key)
    answers.set(key, answer)
    return answer
  }
}
