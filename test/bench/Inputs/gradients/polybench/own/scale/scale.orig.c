not code
