@echo off
rem Plays Chesquerque in WinBoard, with Qirkat as the engine: start it by a double click.
rem Untested: nobody here had a WinBoard. If it is not found, set WINBOARD to its winboard.exe.
rem WinBoard's options may follow, as in: chesquerque -mode TwoMachines -mg 4
setlocal
set "HERE=%~dp0"
set "BOARD=%HERE%chesquerque-9x9.bmp"
cd /d "%HERE%..\.."
set "ENGINE=%CD%"
call :look "%ProgramFiles%"
call :look "%ProgramFiles(x86)%"
call :look "%SystemDrive%\"
if not defined WINBOARD set "WINBOARD=winboard.exe"
start "" "%WINBOARD%" -cp @"%HERE%chesquerque.xop" -liteBackTextureFile "%BOARD%" -darkBackTextureFile "%BOARD%" -fcp qirkat.exe -fd "%ENGINE%" -scp qirkat.exe -sd "%ENGINE%" %*
if errorlevel 1 pause
exit /b

:look
if defined WINBOARD exit /b
cd /d %1 2>nul
if errorlevel 1 exit /b
for /d %%D in (WinBoard*) do (
    if exist "%%D\winboard.exe" set "WINBOARD=%CD%\%%D\winboard.exe"
    if exist "%%D\WinBoard\winboard.exe" set "WINBOARD=%CD%\%%D\WinBoard\winboard.exe"
)
exit /b
