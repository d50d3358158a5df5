"""`python -m table_controller` is the command krupier."""

from table_controller.cli import main

main()
